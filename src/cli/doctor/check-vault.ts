import { operatorMessage } from "../../app/operator-message.ts";
import type { Context } from "../../platform/context.ts";
import { VaultError } from "../../platform/vault/errors.ts";
import { vaultStatus } from "../../platform/vault/status/vault-status.ts";
import { errorText, type Finding, findings } from "./finding.ts";

const vault = findings("vault");

export async function checkVault(ctx: Pick<Context, "db" | "vaultKeys">): Promise<Finding> {
  try {
    const { masterKey, keys, numbers } = await vaultStatus(ctx.db, ctx.vaultKeys);
    if (!masterKey.needed) return vault.ok("this node holds no vault key; its role webhooks needs none");
    if (!masterKey.fits) {
      return vault.fail(
        `the master key from ${masterKey.source} is not this database's`,
        "give this node the key of this database, or access to its key service; docs/guides/vault.md says how",
      );
    }
    const message = `the master key from ${masterKey.source} fits; ${numbers.kept} numbers stored`;
    if (keys.outgoing > 0)
      return vault.warn(`${message}; a rotation is unfinished`, "run `tidegate vault rotate` again");
    if (keys.byOtherMasters > 0)
      return vault.warn(
        `${message}; ${keys.byOtherMasters} keys are under another master key`,
        "run `tidegate vault rotate --master` again",
      );
    return masterKey.generated
      ? vault.ok(`${message} (created by the first start, for the sandbox only; back it up)`)
      : vault.ok(message);
  } catch (error) {
    if (error instanceof VaultError && /never opened/.test(error.message))
      return vault.ok("not initialised yet; the first start does that");
    return vault.fail(
      operatorMessage(error) ?? errorText(error),
      "restore the key from your backup; see docs/guides/vault.md",
    );
  }
}
