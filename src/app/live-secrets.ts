import { hasOpenLiveMerchant } from "../features/merchants/index.ts";
import { VaultTrouble } from "../platform/vault/trouble.ts";
import type { World } from "../platform/world.ts";

type Asked = Pick<World, "db" | "vaultKeys">;

/** Where money is real, no secret is one that nobody chose or everybody knows. */
export async function refuseSampleSecrets(world: Asked): Promise<void> {
  const problem = (await hasOpenLiveMerchant(world.db)) ? await liveProblem(world) : undefined;
  if (problem !== undefined) throw new VaultTrouble(problem);
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
