import { type Problem, refuseAll } from "../../kernel/refusal.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import type { Loose, Sound } from "../../platform/http/validate.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { SealedColumn } from "../../platform/vault/rotation/sealed-column.ts";
import { type Caller, lockMerchant, type RequestCaller } from "../merchants/index.ts";
import { credentialsOf, lockCredentials, putCredentials } from "./queries.ts";
import { type CredentialHeader, type Credentials, noCredentials } from "./webhook.ts";

export type SettingsChange = {
  readonly username?: string | null;
  readonly password?: string | null;
  /** Null: the default header. */
  readonly header?: CredentialHeader | null;
};

export const purposeOfPassword = (merchantId: string) => `webhook password of ${merchantId}`;

export const SEALED_PASSWORDS: SealedColumn = {
  table: "webhook_credentials",
  column: "sealed_password",
  id: "merchant_id",
  purposeOf: purposeOfPassword,
};

/** Problems of the credentials that need no stored settings. */
export function settingsProblems({ username }: { readonly username?: string | null }): readonly Problem[] {
  // A colon ends the user name in basic credentials.
  return username?.includes(":") === true
    ? [{ code: "webhook_settings_username_invalid", field: "/username" }]
    : [];
}

export async function readSettings(ctx: Context, caller: Caller): Promise<Credentials> {
  const [stored] = await credentialsOf(ctx.db, [caller.merchantId]);
  return stored ?? noCredentials(caller.merchantId);
}

/** Changes the given fields. Refuses a user name without a password, and the other way round. */
export async function changeSettings(
  ctx: Context,
  caller: RequestCaller,
  change: SettingsChange,
): Promise<Credentials> {
  const { merchantId } = caller;
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: null, path: "/webhooks/settings" });
    // The first change has no row of its own to lock.
    await lockMerchant(tx, merchantId);
    const none = noCredentials(merchantId);
    const before = (await lockCredentials(tx, merchantId)) ?? none;
    refuseAll(incompleteProblems(before, change, () => true));
    const sealedPassword =
      change.password == null
        ? change.password
        : await ctx.sealedTexts.seal(tx, purposeOfPassword(merchantId), change.password);
    const after: Credentials = {
      merchantId,
      username: change.username === undefined ? before.username : change.username,
      sealedPassword: sealedPassword === undefined ? before.sealedPassword : sealedPassword,
      header: change.header === undefined ? before.header : (change.header ?? none.header),
    };
    await putCredentials(tx, after);
    await record(tx, { act: "webhook_credentials_changed", merchantId, subjectId: merchantId }, ctx.now());
    return after;
  });
}

/** What a change that has other problems would be refused for, too. */
export async function findIncompleteProblems(
  ctx: Context,
  caller: Caller,
  change: Loose<SettingsChange>,
  sound: Sound,
): Promise<readonly Problem[]> {
  return incompleteProblems(await readSettings(ctx, caller), change, sound);
}

/** A field that was sent and refused counts as given. */
function incompleteProblems(
  before: Credentials,
  { username = before.username, password = before.sealedPassword }: Loose<SettingsChange>,
  sound: Sound,
): readonly Problem[] {
  const hasUsername = username !== null || !sound("/username");
  const hasPassword = password !== null || !sound("/password");
  if (hasUsername === hasPassword) return [];
  return hasPassword
    ? [{ code: "webhook_settings_username_invalid", field: "/username" }]
    : [{ code: "webhook_settings_password_invalid", field: "/password" }];
}
