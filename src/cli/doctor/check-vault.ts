import { liveProblem } from "../../app/live-secrets.ts";
import { lineForOperator } from "../../app/operator-line.ts";
import { hasOpenLiveMerchant } from "../../features/merchants/index.ts";
import type { Context } from "../../platform/context.ts";
import { VaultError } from "../../platform/vault/errors.ts";
import { vaultStatus } from "../../platform/vault/status/vault-status.ts";
import { type Finding, findings, wordsOf } from "./finding.ts";

const vault = findings("vault");

export async function checkVault(ctx: Pick<Context, "db" | "vaultKeys">): Promise<Finding> {
  try {
    const { masterKey, keys, numbers } = await vaultStatus(ctx.db, ctx.vaultKeys);
    if (!masterKey.fits) {
      return vault.fail(
        `the master key from ${masterKey.source} is not this database's`,
        "give the key that this database was opened with, by TIDEGATE_VAULT_KEY or its file; it is in your backup",
      );
    }
    const problem = (await hasOpenLiveMerchant(ctx.db)) ? await liveProblem(ctx) : undefined;
    if (problem !== undefined) return vault.fail(problem, "see docs/guides/vault.md");
    const says = `the master key from ${masterKey.source} fits; ${numbers.kept} numbers kept`;
    if (keys.outgoing > 0)
      return vault.warn(`${says}; a rotation is unfinished`, "run `tidegate vault rotate` again");
    if (keys.byOtherMasters > 0)
      return vault.warn(
        `${says}; ${keys.byOtherMasters} keys are under another master key`,
        "run `tidegate vault rotate --master` again",
      );
    return masterKey.generated
      ? vault.ok(`${says} (made by the first start: enough for the sandbox; back it up)`)
      : vault.ok(says);
  } catch (error) {
    if (error instanceof VaultError && /never opened/.test(error.message))
      return vault.ok("not opened yet; the first start does that");
    return vault.fail(
      lineForOperator(error) ?? wordsOf(error),
      "put the key back from your backup; see docs/guides/vault.md",
    );
  }
}
