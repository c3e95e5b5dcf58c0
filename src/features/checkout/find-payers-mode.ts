import type { Id } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Context } from "../../platform/context.ts";
import { hashSecret } from "../../platform/crypto/secrets.ts";
import type { PayerSecrets } from "../../platform/http/payer-route.ts";
import { pageKeyOfToken } from "../hosted-pages/index.ts";
import { findMerchant } from "../merchants/index.ts";
import { findRequestOfPage, findRequestOfPayIdPage } from "../payment-requests/index.ts";
import { findSession, findToken, merchantOfSession, merchantOfToken } from "../tokens/index.ts";
import { readPageSession } from "./page-session.ts";

/** The mode of the merchant whose session or token it is. A made-up one belongs to no merchant, also if it names one. */
export async function findPayersMode(
  ctx: Context,
  { session, token }: PayerSecrets,
): Promise<Mode | undefined> {
  for (const secret of [session, token]) {
    const owner = typeof secret === "string" ? await findOwner(ctx, secret) : undefined;
    const merchant = owner && (await findMerchant(ctx.db, owner));
    if (merchant !== undefined) return merchant.mode;
  }
  return undefined;
}

async function findOwner(ctx: Context, secret: string): Promise<Id<"merchant"> | undefined> {
  const page = readPageSession(secret);
  if (page !== undefined) return (await findRequestOfPage(ctx.db, page.pageKey))?.merchantId;
  const payId = pageKeyOfToken(secret);
  if (payId !== undefined) return (await findRequestOfPayIdPage(ctx.db, payId))?.merchantId;
  const hash = hashSecret(secret);
  const ofToken = merchantOfToken(secret);
  if (ofToken !== undefined) return (await findToken(ctx.db, { merchantId: ofToken, hash }))?.merchantId;
  const merchantId = merchantOfSession(secret);
  return merchantId && (await findSession(ctx.db, { merchantId, hash }))?.merchant.id;
}
