import { hasOpenLiveMerchant } from "../features/merchants/index.ts";
import type { Context } from "../platform/context.ts";
import { VaultError } from "../platform/vault/errors.ts";

type Asked = Pick<Context, "db" | "vaultKeys">;

/** Where money is real, no secret is one that nobody chose or everybody knows. */
export async function refuseSampleSecrets(ctx: Asked): Promise<void> {
  const problem = (await hasOpenLiveMerchant(ctx.db)) ? await liveProblem(ctx) : undefined;
  if (problem !== undefined) throw new VaultError(problem);
}

/** What keeps this gateway from serving live merchants, in one line; undefined when nothing does. */
export async function liveProblem({ vaultKeys: { source } }: Asked): Promise<string | undefined> {
  if (source.generated) {
    return "live merchants need a vault key of your own, and the one in use was made for the sandbox: give TIDEGATE_VAULT_KEY or TIDEGATE_VAULT_KEY_FILE, see docs/guides/vault.md";
  }
  if (await source.isSample()) {
    return `live merchants need a secret vault key, and ${source.name} is a sample: give 32 random bytes, such as \`openssl rand -base64 32\` prints`;
  }
  return undefined;
}
