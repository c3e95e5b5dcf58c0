import { fieldProblems } from "../../browser/ui/field-problems.ts";
import type { Surcharge } from "../../browser/ui/price-rows.ts";
import { quoteSurcharge } from "../../browser/ui/quote-surcharge.ts";
import {
  type CardInput,
  CHALLENGE_LIFE,
  getSession,
  type PageView,
  type PayInput,
  pay,
  problemsOfPay,
} from "../features/checkout/index.ts";
import { type Problem, Refusal } from "../kernel/refusal.ts";
import { later } from "../kernel/time.ts";
import { cardTypeOf } from "../platform/cards/check-card.ts";
import { type Context, clockOf } from "../platform/context.ts";
import type { FormFields } from "../platform/http/form-posts.ts";
import { seal, unseal } from "../platform/sealing/seal.ts";
import { cardWords } from "./card-words.ts";
import { type FormError, modelOf, openingOf, presentPage } from "./present-page.ts";
import { pageAddresses } from "./present-standing.ts";
import { readCardForm } from "./read-card-form.ts";
import type { PageReply } from "./send-page.ts";
import { confirmForm } from "./views/confirm-form.ts";

type CardPayment = PayInput & { readonly card: CardInput };

/**
 * A payment by plain form post. Whatever comes of it, the payer is sent on to a page that can be loaded again safely;
 * only what can be mended, or has to be confirmed first, is shown at once.
 */
export async function takeForm(ctx: Context, view: PageView, fields: FormFields): Promise<PageReply> {
  const { after, comeBack } = pageAddresses(view);
  // A form of before: the page was refreshed, or another tab was quicker.
  if (view.standing !== "open" || fields["attempt"] !== String(view.failedAttempts)) return { goTo: after };
  const card = fields["sealed"] === undefined ? readCardForm(fields) : await unsealCard(ctx, view, fields);
  if (card === undefined) return again(view, { notice: OPEN_TOO_LONG });

  const surcharge = surchargeFor(view, card);
  const total = view.request.amount + surcharge.amount;
  const input: CardPayment = { method: "card", card, total, consent: fields["consent"] === "yes" };
  const problems = [...problemsOfPay(input, ctx.now()), ...consentProblems(view, input)];
  if (problems.length > 0) return again(view, troubleOf(problems, fields));
  if (surcharge.amount > 0 && fields["total"] !== String(total)) return confirm(ctx, view, input, surcharge);

  try {
    const answer = await pay(ctx, await getSession(ctx, view.session), input, comeBack);
    if (answer.challenge === undefined) return { goTo: after };
    return { goTo: answer.challenge.url, keep: answer.challenge.sealed };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return ENDED.includes(error.problems[0]?.code ?? "")
      ? { goTo: after }
      : again(view, { notice: TRY_LATER });
  }
}

/** Locked, ended, or a try that was used up: the page itself says how it stands. */
const ENDED: readonly string[] = [
  "checkout_token_refused",
  "checkout_payment_in_progress",
  "payment_request_state_conflict",
];

const OPEN_TOO_LONG = "This page was open too long. You have not been charged. Please enter your card again.";
const TRY_LATER = "The payment couldn't be taken just now. You have not been charged. Please try again.";

function surchargeFor(view: PageView, card: CardInput): Surcharge {
  const { amount, rates } = openingOf(view);
  return quoteSurcharge(amount, rates ?? {}, card.number);
}

function consentProblems(view: PageView, input: PayInput): readonly Problem[] {
  const missing = openingOf(view).storeCard && !input.consent;
  return missing ? [{ code: "checkout_consent_missing", field: "/consent" }] : [];
}

/** The form again, with what is wrong. Neither number nor code is ever sent back. */
function again(view: PageView, trouble: FormError): PageReply {
  return { status: 400, view, model: presentPage(view, trouble) };
}

function troubleOf(problems: readonly Problem[], fields: FormFields): FormError {
  const name = (fields["name"] ?? "").slice(0, 100);
  const found = fieldProblems(problems);
  const notice =
    Object.keys(found).length === 0 ? TRY_LATER : "Check the marked fields. You have not been charged.";
  return { problems: found, notice, name };
}

/** Nothing is charged before the payer has seen the total. Until then the card is sealed, in the payer's own page. */
async function confirm(
  ctx: Context,
  view: PageView,
  input: CardPayment,
  surcharge: Surcharge,
): Promise<PageReply> {
  const now = clockOf(ctx, view.merchant);
  const sealed = await seal(
    ctx,
    JSON.stringify(input.card),
    sealedFor(view),
    now,
    later(now, CHALLENGE_LIFE),
  );
  const { page } = pageAddresses(view);
  const { number } = input.card;
  const content = confirmForm({
    action: page,
    backTo: page,
    amount: view.request.amount,
    surcharge,
    card: cardWords({ cardType: cardTypeOf(number), last4: number.slice(-4) }),
    hidden: {
      attempt: String(view.failedAttempts),
      total: String(input.total),
      sealed,
      ...(input.consent ? { consent: "yes" } : {}),
    },
  });
  return { status: 200, view, model: modelOf(view, { state: "ready", content, hasForm: true }) };
}

async function unsealCard(ctx: Context, view: PageView, fields: FormFields): Promise<CardInput | undefined> {
  const text = await unseal(ctx, fields["sealed"] ?? "", sealedFor(view), clockOf(ctx, view.merchant));
  return text === undefined ? undefined : (JSON.parse(text) as CardInput);
}

function sealedFor(view: PageView): string {
  return `confirm ${view.session}`;
}
