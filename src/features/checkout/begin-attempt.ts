import type { Acquirer } from "../../connectors/ports/acquirers.ts";
import { defined } from "../../kernel/defined.ts";
import { type Id, newId } from "../../kernel/ids.ts";
import type { MaskedCard } from "../../kernel/masked-card.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Instant } from "../../kernel/time.ts";
import { mayBeOnCard } from "../../platform/cards/cardholder-name.ts";
import { cardTypeOf } from "../../platform/cards/check-card.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { brokenConstraint, type Tx } from "../../platform/db/database.ts";
import { authenticates, routePayment } from "../acquirer-accounts/index.ts";
import type { Merchant } from "../merchants/index.ts";
import { lockPaymentRequest, type PaymentRequest } from "../payment-requests/index.ts";
import { keepLanguage } from "../receipts/index.ts";
import { lockSession, type OneTimeToken, processToken } from "../tokens/index.ts";
import {
  findPendingOf,
  insertTransaction,
  newTransaction,
  type Transaction,
  transactionChange,
  wantsNumber,
} from "../transactions/index.ts";
import { recoveryOf } from "./attempt-deadlines.ts";
import type { PayersCard } from "./card-of-payment.ts";
import { checkOpen, checkPrice, checkToken } from "./check-attempt.ts";
import { keepForAcquirer, keepNumber } from "./keep-number.ts";
import { insertTokenUse } from "./queries.ts";
import { lockSavedCard } from "./saved-cards.ts";
import type { Session } from "./session.ts";
import { storingOf } from "./storing.ts";
import type { PayInput } from "./wire.ts";

/**
 * Before any call: checks request, price and consent, uses up the token or the page's attempt, and records the transaction
 * under the id that the acquirer gets as reference, with the job that recovers it if this process does not finish.
 */
export async function beginAttempt(
  ctx: Context,
  session: Session,
  input: PayInput,
  payers: PayersCard,
): Promise<{ readonly transaction: Transaction; readonly request: PaymentRequest }> {
  const { merchant } = session;
  const active = await ctx.acquirers.listActive(merchant);
  if (input.consent || wantsNumber(active)) await ctx.vault.prepare(ctx.db, merchant.id);
  try {
    return await ctx.db.transaction(async (tx) => {
      const { way } = session;
      // The request's lock before the token's, as at the end of an attempt, so that the two cannot deadlock.
      const request =
        (await lockPaymentRequest(tx, merchant.id, session.paymentRequestId)) ??
        refuse("checkout_session_refused");
      const token =
        way.kind === "token"
          ? await lockOpenToken(tx, { merchantId: merchant.id, hash: way.hash }, input)
          : undefined;
      const now = clockOf(ctx, merchant);
      if (await findPendingOf(tx, merchant.id, request.id)) refuse("checkout_payment_in_progress");
      checkOpen(session, request, token, now);
      const { saved } = payers;
      if (saved !== undefined) await lockSavedCard(ctx, tx, merchant, { request, saved });
      const { currency } = request;
      const cardType = saved?.card.cardType ?? cardTypeOf(payers.card.number);
      const acquirers = routePayment(active, { currency, cardType });
      const transaction = newAttempt(merchant, request, { input, payers, acquirers }, now);
      const change = transactionChange(merchant.mode, transaction, ctx.settings);
      await insertTransaction(tx, transaction, change, recoveryOf(ctx, transaction, acquirers));
      await keepLanguage(ctx, tx, { request, transaction }, input.language);
      if (payers.use !== undefined) await insertTokenUse(tx, transaction, payers.use);
      if (transaction.phase === "calling") {
        await keepNumber(ctx, tx, transaction, payers.card.number);
        await keepForAcquirer(ctx, tx, transaction, { acquirers, number: payers.card.number });
      }
      if (way.kind === "token")
        await processToken(tx, { merchantId: merchant.id, hash: way.hash }, transaction.id);
      return { transaction, request };
    });
  } catch (error) {
    // Two tokens of one request at the same moment: the unique index admits one.
    if (brokenConstraint(error) === "transactions_one_pending") refuse("checkout_payment_in_progress");
    if (brokenConstraint(error) === "wallet_token_uses_pkey")
      refuse("wallet_token_replayed", "/wallet/token");
    throw error;
  }
}

async function lockOpenToken(
  tx: Tx,
  key: { readonly merchantId: Id<"merchant">; readonly hash: Uint8Array },
  input: PayInput,
): Promise<OneTimeToken> {
  const token = (await lockSession(tx, key)) ?? refuse("checkout_session_refused");
  checkToken(token, input);
  return token;
}

type AttemptInput = {
  readonly input: PayInput;
  readonly payers: PayersCard;
  /** Those that can take the payment, in the merchant's order. */
  readonly acquirers: readonly [Acquirer, ...Acquirer[]];
};

export function newAttempt(
  merchant: Merchant,
  request: PaymentRequest,
  { input, payers, acquirers }: AttemptInput,
  now: Instant,
): Transaction {
  const { category, customerRequest } = request.details;
  const { saved } = payers;
  const card = saved?.card ?? masked(payers, customerRequest?.name);
  const surcharge = checkPrice(merchant, request, { input, cardType: card.cardType }, now);
  const expected = request.amount + surcharge;
  const { agreed } = payers;
  if (agreed !== undefined && (agreed.amount !== expected || agreed.currency !== request.currency)) {
    refuse("wallet_token_total_differs", "/wallet/token");
  }
  const authenticating = acquirers.find((one) => authenticates(merchant, one));
  const wanted =
    category?.authenticationType === "3d_secure" ||
    (payers.isUnderSuspicion === true && merchant.capabilities.threeDSecure && authenticating !== undefined);
  // A wallet's cryptogram already proves the authentication.
  const mustAuthenticate = wanted && payers.card.cryptogram === undefined;
  // The account that authenticates the payer takes the payment.
  const acquirer = (mustAuthenticate ? authenticating : undefined) ?? acquirers[0];
  return newTransaction({
    id: newId("transaction", now),
    merchantId: merchant.id,
    paymentRequestId: request.id,
    reference: request.reference,
    metadata: request.metadata,
    source: payers.source,
    frequency: category?.frequency ?? "single",
    captureType: category?.captureType ?? "auto",
    acceptsPartial: category?.partialApproval === "accept",
    phase: mustAuthenticate ? "authenticating" : "calling",
    amount: request.amount,
    surcharge,
    currency: request.currency,
    acquirerAccountId: acquirer.accountId,
    acquirer: { connector: acquirer.connector },
    card,
    ...(saved === undefined
      ? {
          storesInstrumentId:
            storingOf(request) !== "never" && input.consent ? newId("paymentInstrument", now) : null,
        }
      : { customerId: saved.customerId, paymentInstrumentId: saved.id }),
    now,
  });
}

/** The name when neither the payer nor the payment request has one. */
const NAMELESS = "VALUED CARDHOLDER";

/** The part of the card that is stored. The name of the form or wallet takes precedence over the merchant's. */
function masked({ source, card }: PayersCard, knownName: string | undefined): MaskedCard {
  return defined({
    name: [card.name?.trim() ?? "", knownName ?? ""].find(mayBeOnCard) ?? NAMELESS,
    last4: card.number.slice(-4),
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    cardType: cardTypeOf(card.number),
    ...(source === "card" ? {} : { wallet: source, isNetworkToken: card.isNetworkToken === true }),
  });
}
