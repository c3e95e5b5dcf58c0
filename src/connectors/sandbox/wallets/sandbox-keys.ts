import type { Instant } from "../../../kernel/time.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { SealedColumn } from "../../../platform/vault/rotation/sealed-column.ts";
import type { SealedTexts } from "../../../platform/vault/sealed-texts.ts";
import type { FakeAppleKeys } from "./fake-apple.ts";
import { type FakeGoogleKeys, makeFakeGoogleKeys } from "./fake-google.ts";
import { findSandboxKeys, insertSandboxKeys } from "./queries.ts";

export type SandboxKeys = { readonly google: FakeGoogleKeys; readonly apple: FakeAppleKeys };

const PURPOSE = "sandbox wallets";

export const SEALED_SANDBOX_KEYS: SealedColumn = {
  table: "sandbox_wallet_keys",
  column: "sealed",
  id: "only_one",
  purposeOf: () => PURPOSE,
};

/**
 * The keys of the sandbox's fake Google and Apple. The first node that needs them makes them, once per installation, and
 * stores them sealed in the database: every node opens the tokens of every other, and no key is in the code.
 */
export function createSandboxKeys(
  db: Database,
  sealedTexts: SealedTexts,
  now: () => Instant,
): () => Promise<SandboxKeys> {
  let known: Promise<SandboxKeys> | undefined;
  const load = async (): Promise<SandboxKeys> => {
    const there = (await findSandboxKeys(db)) ?? (await make());
    return JSON.parse(await sealedTexts.open(db, PURPOSE, there)) as SandboxKeys;
  };
  const make = async (): Promise<string> => {
    const { makeFakeAppleKeys } = await import("./fake-apple.ts");
    const keys: SandboxKeys = { google: makeFakeGoogleKeys(), apple: await makeFakeAppleKeys() };
    return db.transaction(async (tx) => {
      await insertSandboxKeys(tx, await sealedTexts.seal(tx, PURPOSE, JSON.stringify(keys)), now());
      const sealed = await findSandboxKeys(tx);
      if (sealed === undefined) throw new Error("the sandbox's wallet keys were not stored");
      return sealed;
    });
  };
  return () => {
    known ??= load().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
