import { hasOpenLiveMerchant } from "../features/merchants/index.ts";
import type { Context } from "../platform/context.ts";
import { VaultError } from "../platform/vault/errors.ts";

type Parts = Pick<Context, "db" | "vaultKeys">;

/** Refuses to start with live merchants and a generated or published secret. */
export async function refuseSampleSecrets(ctx: Parts): Promise<void> {
  const problem = (await hasOpenLiveMerchant(ctx.db)) ? await liveProblem(ctx) : undefined;
  if (problem !== undefined) throw new VaultError(problem);
}

/** Why this gateway can't serve live merchants, in one line; undefined if it can. */
export async function liveProblem({ vaultKeys: { source } }: Parts): Promise<string | undefined> {
  if (source.generated) {
    return "live merchants need a vault key of your own, and the current one was generated for the sandbox: set TIDEGATE_VAULT_KEY or TIDEGATE_VAULT_KEY_FILE, see docs/guides/vault.md";
  }
  if (await source.isSample()) {
    return `live merchants need a secret vault key, and ${source.name} is a sample: set it to 32 random bytes, such as \`openssl rand -base64 32\` prints`;
  }
  return undefined;
}
