import type { CardDetails } from "../../connectors/ports/card-acquirer.ts";
import type { TokenProblem, WalletPayment } from "../../connectors/ports/wallets.ts";
import type { CodeName } from "../../kernel/codes/catalogue.ts";
import { defined } from "../../kernel/defined.ts";
import { refuse } from "../../kernel/refusal.ts";
import { DAY, type Instant, instant } from "../../kernel/time.ts";
import type { Wallet } from "../../kernel/wallets.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { type Merchant, takesMethod } from "../merchants/index.ts";
import { getPaymentRequest } from "../payment-requests/index.ts";
import { checkAttempt } from "./check-attempt.ts";
import { getChosenCard, openSavedCard, type SavedCard } from "./saved-cards.ts";
import type { Session } from "./session.ts";
import { placeOfSession, walletProblem } from "./wallet-place.ts";
import type { PayInput } from "./wire.ts";

/** A card to charge and its source: typed, saved, or from a wallet, whose token the attempt uses up. */
export type PayersCard = {
  readonly source: "card" | Wallet;
  readonly card: CardDetails;
  /** The stored card that it is, if the payer chose one. */
  readonly saved?: SavedCard;
  readonly use?: TokenUse;
  /** Close to a limit of card testing in live mode: the payer authenticates if the merchant can have that. */
  readonly isUnderSuspicion?: boolean;
  /** The amount that the payer agreed to in the wallet, if the wallet reports it. */
  readonly agreed?: WalletPayment["agreed"];
};

export type TokenUse = { readonly digest: Uint8Array; readonly forgetAt: Instant };

const TOKEN_CODES: Readonly<Record<TokenProblem, CodeName>> = {
  unreadable: "wallet_token_unreadable",
  signature_invalid: "wallet_token_signature_invalid",
  expired: "wallet_token_expired",
  other_recipient: "wallet_token_for_another",
  card_unusable: "wallet_token_card_unusable",
};

/** The card of a payment. A wallet's token is verified and decrypted before anything is recorded. */
export async function cardOfPayment(ctx: Context, session: Session, input: PayInput): Promise<PayersCard> {
  const { method, card, savedCard, wallet } = input;
  const { merchant, paymentRequestId } = session;
  if (!takesMethod(merchant, "card")) refuse("checkout_cards_refused");
  if (method === "card") {
    if (savedCard !== undefined) {
      const request = await getPaymentRequest(ctx, merchant, paymentRequestId);
      const saved = await getChosenCard(ctx, merchant, request, savedCard);
      await checkAttempt(ctx, session, input, { request, cardType: saved.card.cardType });
      return { source: "card", saved, card: await openSavedCard(ctx, request, saved, savedCard) };
    }
    return { source: "card", card: card ?? refuse("card_number_invalid", "/card") };
  }
  const request = await getPaymentRequest(ctx, merchant, paymentRequestId);
  const place = placeOfSession(session);
  const problem = await walletProblem(ctx, merchant, request, { place, wallet: method });
  if (problem !== undefined) refuse(problem, "/method");
  const connector = ctx.connectors.findWallet(merchant, method) ?? refuse("wallet_not_set_up", "/method");
  const answer = await connector.open({
    token: wallet?.token,
    merchantId: merchant.id,
    paymentRequestId,
    now: clockOf(ctx, merchant),
  });
  if (answer.kind === "refused") refuse(TOKEN_CODES[answer.problem], "/wallet/token");
  const { payment } = answer;
  return defined({
    source: method,
    card: { ...payment.card, isNetworkToken: payment.card.cryptogram !== undefined },
    use: { digest: payment.useDigest, forgetAt: forgetAt(payment.expiresAt, merchant) },
    agreed: payment.agreed,
  });
}

/**
 * In real time, with a day to spare. The merchant's clock is never behind real time, so by then the token has expired on the
 * merchant's clock as well.
 */
function forgetAt(expiresAt: Instant, { clockOffset }: Merchant): Instant {
  return instant(expiresAt - clockOffset + DAY);
}
