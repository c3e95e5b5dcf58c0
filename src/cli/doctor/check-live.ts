import { accountProblems, liveProblems, UNREADABLE_SETTINGS } from "../../app/live-checks.ts";
import { hasLiveMerchant, hasOpenLiveMerchant } from "../../features/merchants/index.ts";
import type { Settings } from "../../platform/config/settings.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { isUndefinedTable } from "../../platform/db/errors.ts";
import { SecretUnreadable, VaultError } from "../../platform/vault/errors.ts";
import { type Finding, findings } from "./finding.ts";

const live = findings("live");
const vaultKey = findings("vault key");

/** What a start would refuse because of an open live merchant; warnings while the live merchants are not open yet. */
export async function checkLive(
  tx: Tx,
  settings: Settings,
  ctx?: Pick<Context, "db" | "sealedTexts" | "connectors">,
): Promise<readonly Finding[]> {
  try {
    const open = await hasOpenLiveMerchant(tx);
    if (!open && !(await hasLiveMerchant(tx))) return [];
    const accounts = ctx === undefined ? NONE : await readable(ctx);
    const unreadable = accounts.unreadable.map((id) =>
      live.warn(
        `${id}: ${UNREADABLE_SETTINGS}`,
        `check the vault key; if it is right, \`tidegate acquirer disable ${id}\` and add the account again`,
      ),
    );
    const problems = [...(await liveProblems(settings)), ...accounts.problems];
    const inVariable = open && settings.vaultKey !== undefined ? [KEY_IN_VARIABLE] : [];
    if (problems.length === 0)
      return [...unreadable, live.ok("this gateway is fit for live merchants"), ...inVariable];
    const named = problems.map(({ says, fix }) =>
      open
        ? live.fail(`the gateway does not start: ${says}`, fix)
        : live.warn(`with its first capability a live merchant stops the next start: ${says}`, fix),
    );
    return [...named, ...unreadable, ...inVariable];
  } catch (error) {
    // A database without our tables has no merchants.
    if (isUndefinedTable(error)) return [];
    throw error;
  }
}

/** No reason to refuse a start, for installations that have it so. */
const KEY_IN_VARIABLE = vaultKey.warn(
  "the key of live merchants' cards is in TIDEGATE_VAULT_KEY: child processes, `docker inspect` and crash reports can show a variable",
  "write it to a file with mode 600 (440 and the group of a container's user) and name that in TIDEGATE_VAULT_KEY_FILE; better, use shares or a key service",
);

const NONE = { problems: [], unreadable: [] };

/** A vault that can't be opened is a finding of its own. */
async function readable(ctx: Pick<Context, "db" | "sealedTexts" | "connectors">) {
  return accountProblems(ctx).catch((error: unknown) => {
    if (error instanceof SecretUnreadable || error instanceof VaultError) return NONE;
    throw error;
  });
}
