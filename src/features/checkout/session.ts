import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { hashSecret } from "../../platform/crypto/secrets.ts";
import type { World } from "../../platform/world.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import { findSession, type OneTimeToken } from "../tokens/index.ts";

/** An initialised token: one payer's frame, for one payment request. */
export type Session = {
  readonly hash: Uint8Array;
  readonly token: OneTimeToken;
  readonly merchant: Merchant;
};

/** The session of a secret that only its frame knows. */
export async function getSession(world: World, secret: string | undefined): Promise<Session> {
  if (secret === undefined || secret === "") refuse("V11615");
  const hash = hashSecret(secret);
  const token = (await findSession(world.db, hash)) ?? refuse("V11615");
  return { hash, token, merchant: await merchantOf(world, token.merchantId) };
}

export async function merchantOf(world: World, id: Id<"merchant">): Promise<Merchant> {
  const merchant = await findMerchant(world.db, id);
  if (merchant === undefined) throw new Error("the merchant of a token is gone");
  return merchant;
}
