import { confirmForm } from "../../../browser/hosted-page/confirm-form.ts";
import { fieldProblems } from "../../../browser/ui/field-problems.ts";
import type { Surcharge } from "../../../browser/ui/price-rows.ts";
import { quoteSurcharge } from "../../../browser/ui/quote-surcharge.ts";
import {
  type CardAsk,
  CHALLENGE_LIFE,
  getSession,
  type PageView,
  type PayAsk,
  pay,
  problemsOfPay,
} from "../../features/checkout/index.ts";
import { type Problem, Refusal } from "../../kernel/refusal.ts";
import { later } from "../../kernel/time.ts";
import { cardTypeOf } from "../../platform/cards/check-card.ts";
import { seal, unseal } from "../../platform/crypto/seal.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import { clockOf, type World } from "../../platform/world.ts";
import { cardWords } from "./card-words.ts";
import { type FormTrouble, modelOf, openingOf, presentPage } from "./present-page.ts";
import { pageAddresses } from "./present-standing.ts";
import { readCardForm } from "./read-card-form.ts";
import type { PageReply } from "./send-page.ts";

type CardPayment = PayAsk & { readonly card: CardAsk };

/**
 * A payment by plain form post. Whatever comes of it, the payer is sent on to a page that can be loaded again safely;
 * only what can be mended, or has to be confirmed first, is shown at once.
 */
export async function takeForm(world: World, view: PageView, fields: FormFields): Promise<PageReply> {
  const { after, comeBack } = pageAddresses(view);
  // A form of before: the page was refreshed, or another tab was quicker.
  if (view.standing !== "open" || fields["attempt"] !== String(view.tries)) return { goTo: after };
  const card = fields["sealed"] === undefined ? readCardForm(fields) : await unsealCard(world, view, fields);
  if (card === undefined) return again(view, { notice: OPEN_TOO_LONG });

  const surcharge = surchargeFor(view, card);
  const total = view.request.amount + surcharge.amount;
  const ask: CardPayment = { method: "card", card, total, consent: fields["consent"] === "yes" };
  const problems = [...problemsOfPay(ask, world.now()), ...consentProblems(view, ask)];
  if (problems.length > 0) return again(view, troubleOf(problems, fields));
  if (surcharge.amount > 0 && fields["total"] !== String(total)) return confirm(world, view, ask, surcharge);

  try {
    const answer = await pay(world, await getSession(world, view.session), ask, comeBack);
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

function surchargeFor(view: PageView, card: CardAsk): Surcharge {
  const { amount, rates } = openingOf(view);
  return quoteSurcharge(amount, rates ?? {}, card.number);
}

function consentProblems(view: PageView, ask: PayAsk): readonly Problem[] {
  const missing = openingOf(view).storeCard && !ask.consent;
  return missing ? [{ code: "checkout_consent_missing", field: "/consent" }] : [];
}

/** The form again, with what is wrong. Neither number nor code is ever sent back. */
function again(view: PageView, trouble: FormTrouble): PageReply {
  return { status: 400, view, model: presentPage(view, trouble) };
}

function troubleOf(problems: readonly Problem[], fields: FormFields): FormTrouble {
  const name = (fields["name"] ?? "").slice(0, 100);
  const found = fieldProblems(problems);
  const notice =
    Object.keys(found).length === 0 ? TRY_LATER : "Check the marked fields. You have not been charged.";
  return { problems: found, notice, name };
}

/** Nothing is charged before the payer has seen the total. Until then the card is sealed, in the payer's own page. */
async function confirm(
  world: World,
  view: PageView,
  ask: CardPayment,
  surcharge: Surcharge,
): Promise<PageReply> {
  const now = clockOf(world, view.merchant);
  const sealed = await seal(
    world,
    JSON.stringify(ask.card),
    sealedFor(view),
    now,
    later(now, CHALLENGE_LIFE),
  );
  const { page } = pageAddresses(view);
  const { number } = ask.card;
  const content = confirmForm({
    action: page,
    backTo: page,
    amount: view.request.amount,
    surcharge,
    card: cardWords({ cardType: cardTypeOf(number), last4: number.slice(-4) }),
    hidden: {
      attempt: String(view.tries),
      total: String(ask.total),
      sealed,
      ...(ask.consent ? { consent: "yes" } : {}),
    },
  });
  return { status: 200, view, model: modelOf(view, { state: "ready", content, hasForm: true }) };
}

async function unsealCard(world: World, view: PageView, fields: FormFields): Promise<CardAsk | undefined> {
  const text = await unseal(world, fields["sealed"] ?? "", sealedFor(view), clockOf(world, view.merchant));
  return text === undefined ? undefined : (JSON.parse(text) as CardAsk);
}

function sealedFor(view: PageView): string {
  return `confirm ${view.session}`;
}
