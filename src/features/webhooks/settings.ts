import { type Problem, refuseAll } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { SealedColumn } from "../../platform/vault/rotation/sealed-column.ts";
import type { Caller, RequestCaller } from "../merchants/index.ts";
import { credentialsOf, lockCredentials, putCredentials } from "./queries.ts";
import { type CredentialHeader, type Credentials, noCredentials } from "./webhook.ts";

export type SettingsChange = {
  readonly username?: string | null;
  readonly password?: string | null;
  /** Null: back to where a merchant without settings has them. */
  readonly header?: CredentialHeader | null;
};

export const purposeOfPassword = (merchantId: string) => `webhook password of ${merchantId}`;

export const SEALED_PASSWORDS: SealedColumn = {
  table: "webhook_credentials",
  column: "sealed_password",
  id: "merchant_id",
  purposeOf: purposeOfPassword,
};

/** What can be said of the credentials by themselves. */
export function settingsProblems({ username }: { readonly username?: string | null }): readonly Problem[] {
  // The colon ends the name in basic credentials.
  return username?.includes(":") === true
    ? [{ code: "webhook_settings_username_invalid", field: "/username" }]
    : [];
}

export async function getSettings(ctx: Context, caller: Caller): Promise<Credentials> {
  const [kept] = await credentialsOf(ctx.db, [caller.merchantId]);
  return kept ?? noCredentials(caller.merchantId);
}

/** Changes what is given. A name without a password, or the other way round, is refused. */
export async function changeSettings(
  ctx: Context,
  caller: RequestCaller,
  change: SettingsChange,
): Promise<Credentials> {
  const { merchantId } = caller;
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: null, path: "/webhooks/settings" });
    const nothing = noCredentials(merchantId);
    const before = (await lockCredentials(tx, merchantId)) ?? nothing;
    const sealedPassword =
      change.password == null
        ? change.password
        : await ctx.sealedTexts.seal(tx, purposeOfPassword(merchantId), change.password);
    const after: Credentials = {
      merchantId,
      username: change.username === undefined ? before.username : change.username,
      sealedPassword: sealedPassword === undefined ? before.sealedPassword : sealedPassword,
      header: change.header === undefined ? before.header : (change.header ?? nothing.header),
    };
    refuseAll(halves(after));
    await putCredentials(tx, after);
    return after;
  });
}

function halves({ username, sealedPassword }: Credentials): readonly Problem[] {
  if (username === null && sealedPassword !== null)
    return [{ code: "webhook_settings_username_invalid", field: "/username" }];
  if (username !== null && sealedPassword === null)
    return [{ code: "webhook_settings_password_invalid", field: "/password" }];
  return [];
}
