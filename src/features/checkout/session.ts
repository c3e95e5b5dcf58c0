import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { hashSecret } from "../../platform/crypto/secrets.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import { findMerchantOfSession, findSession, merchantOfSession } from "../tokens/index.ts";
import { findPageSession, type PageWay, readPageSession } from "./page-session.ts";

/** A payer's session for one attempt: an initialised one-time token, or one attempt on a hosted page. */
export type Session = {
  readonly merchant: Merchant;
  readonly paymentRequestId: Id<"paymentRequest">;
  /** The attempt that was made in this session. */
  readonly transactionId: Id<"transaction"> | null;
  readonly way: TokenWay | PageWay;
};

type TokenWay = {
  readonly kind: "token";
  readonly hash: Uint8Array;
  /** The page that embeds the frame. */
  readonly parentOrigin: string | null;
};

/** The session of a secret that only its frame or page holds. */
export async function getSession(ctx: Context, secret: string | undefined): Promise<Session> {
  if (secret === undefined || secret === "") refuse("checkout_session_refused");
  const page = readPageSession(secret);
  if (page !== undefined) return (await findPageSession(ctx, page)) ?? refuse("checkout_session_refused");
  const hash = hashSecret(secret);
  const merchantId =
    merchantOfSession(secret) ??
    (await findMerchantOfSession(ctx.db, hash)) ??
    refuse("checkout_session_refused");
  const found = (await findSession(ctx.db, { merchantId, hash })) ?? refuse("checkout_session_refused");
  const { parentOrigin, ...session } = found;
  return { ...session, way: { kind: "token", hash, parentOrigin } };
}

export async function merchantOf(ctx: Context, id: Id<"merchant">): Promise<Merchant> {
  const merchant = await findMerchant(ctx.db, id);
  if (merchant === undefined) throw new Error("merchant not found");
  return merchant;
}
