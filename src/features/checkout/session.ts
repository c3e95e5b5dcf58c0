import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { hashSecret } from "../../platform/crypto/secrets.ts";
import type { Merchant } from "../merchants/index.ts";
import type { PaymentRequest } from "../payment-requests/index.ts";
import {
  findMerchantOfSession,
  findPayable,
  findSession,
  isOpen,
  merchantOfSession,
  type OneTimeToken,
} from "../tokens/index.ts";
import { findPageSession, type PageWay, readPageSession } from "./page-session.ts";

/** A payer's session for one attempt: an initialised one-time token, or one attempt on a hosted page. */
export type Session = {
  readonly merchant: Merchant;
  readonly paymentRequestId: Id<"paymentRequest">;
  /** The attempt that was made in this session. */
  readonly transactionId: Id<"transaction"> | null;
  readonly way: TokenWay | PageWay;
  /** What was read with the session, where a payment may follow. It holds no lock. */
  readonly seen?: Seen;
};

/** The payment request and, of an embedded checkout, its token. */
export type Seen = {
  readonly request: PaymentRequest;
  readonly token?: Pick<OneTimeToken, "status" | "transactionId" | "expiresAt">;
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
  const key = await keyOf(ctx, secret);
  const { hash } = key;
  const found = (await findSession(ctx.db, key)) ?? refuse("checkout_session_refused");
  const { parentOrigin, ...session } = found;
  return { ...session, way: { kind: "token", hash, parentOrigin } };
}

/** The same for a payment, with what it needs of the request and the token, in one query for an embedded checkout. */
export async function getPayableSession(ctx: Context, secret: string | undefined): Promise<Session> {
  if (secret === undefined || secret === "" || readPageSession(secret) !== undefined)
    return getSession(ctx, secret);
  const key = await keyOf(ctx, secret);
  const { hash } = key;
  const found = (await findPayable(ctx.db, key)) ?? refuse("checkout_session_refused");
  const { parentOrigin, request, token, ...session } = found;
  return { ...session, way: { kind: "token", hash, parentOrigin }, seen: { request, token } };
}

/** The same for a step before a payment. A token that has paid or expired is refused. */
export async function getOpenSession(ctx: Context, secret: string | undefined): Promise<Session> {
  const session = await getPayableSession(ctx, secret);
  const token = session.seen?.token;
  if (token !== undefined && !isOpen(token, clockOf(ctx, session.merchant))) refuse("checkout_token_refused");
  return session;
}

/** The secret of a session says whose it is, unless it is an old one. */
async function keyOf(ctx: Context, secret: string) {
  const hash = hashSecret(secret);
  const merchantId =
    merchantOfSession(secret) ??
    (await findMerchantOfSession(ctx.db, hash)) ??
    refuse("checkout_session_refused");
  return { merchantId, hash };
}
