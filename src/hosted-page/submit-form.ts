import { fieldProblems } from "../../browser/ui/field-problems.ts";
import type { Surcharge } from "../../browser/ui/price-rows.ts";
import { quoteSurcharge, surchargeFor } from "../../browser/ui/quote-surcharge.ts";
import type { SavedCard } from "../../browser/ui/saved-cards.ts";
import type { Handover } from "../connectors/ports/three-d-secure.ts";
import {
  addressProblems,
  browserOf,
  CHALLENGE_LIFE,
  getSession,
  type PayInput,
  pay,
  problemsOfPay,
} from "../features/checkout/index.ts";
import { attemptsLeft } from "../features/payment-requests/index.ts";
import { cardTypeNamed } from "../kernel/card-type.ts";
import { cardLabel } from "../kernel/languages/card-label.ts";
import { type Problem, Refusal } from "../kernel/refusal.ts";
import { later } from "../kernel/time.ts";
import { cardTypeOf } from "../platform/cards/check-card.ts";
import { type Context, clockOf } from "../platform/context.ts";
import type { FormFields } from "../platform/http/form-posts.ts";
import type { Visitor } from "../platform/http/visitor.ts";
import { seal, unseal } from "../platform/sealing/seal.ts";
import { type Entries, sealEntries } from "./entries.ts";
import type { PayersView } from "./payers-view.ts";
import { presentOrder } from "./present-order.ts";
import { type FormError, modelOf, openingOf, presentPage } from "./present-page.ts";
import { pageAddresses } from "./present-status.ts";
import { type Choice, enteredOf, readChoice } from "./read-card-form.ts";
import type { PageReply } from "./send-page.ts";
import { bankForm } from "./views/bank-form.ts";
import { confirmForm } from "./views/confirm-form.ts";

/**
 * Handles a payment by plain form post. Every outcome redirects the payer to a page that is safe to reload; only a form
 * with problems or an unconfirmed total is shown at once.
 */
export async function submitForm(
  ctx: Context,
  view: PayersView,
  fields: FormFields,
  visitor: Visitor,
): Promise<PageReply> {
  const { after, comeBack } = pageAddresses(view);
  // An outdated form: the page was reloaded, or another tab was faster.
  if (view.standing !== "open" || fields["attempt"] !== String(view.failedAttempts))
    return { redirectTo: after };
  const choice = fields["sealed"] === undefined ? readChoice(fields) : await unsealChoice(ctx, view, fields);
  if (choice === undefined) return showAgain(view, { notice: view.language.page.enterAgain });
  const entered = enteredOf(fields, choice);
  const saved = savedOf(view, choice);
  const gone = { ...entered, chosen: undefined, notice: view.speech.words.cardGone };
  if (choice.savedCard !== undefined && saved === undefined) return showAgain(view, gone);

  const surcharge = surchargeOn(view, choice, saved);
  const total = view.request.amount + surcharge.amount;
  const consent = openingOf(view).storeCard === "always" || fields["consent"] === "yes";
  const input: PayInput = { method: "card", ...choice, total, consent, language: view.language.tag };
  const problems = [
    ...problemsOfPay(input, clockOf(ctx, view.merchant)),
    ...addressProblems(view.request, input),
  ];
  const wrong = (those: readonly Problem[]) => showAgain(view, { ...entered, ...errorOf(view, those) });
  if (problems.length > 0) return wrong(problems);
  const isConfirmed =
    fields["total"] === undefined ? surcharge.amount === 0 : fields["total"] === String(total);
  if (!isConfirmed) return confirm(ctx, view, input, { surcharge, choice, saved, entered });

  try {
    const place = { browser: browserOf(visitor), returnTo: comeBack };
    const answer = await pay(ctx, await getSession(ctx, view.session), input, place);
    const mayReturn = answer.state !== "approved" && attemptsLeft(view.request) > 1;
    const kept = mayReturn ? { entries: await sealEntries(ctx, view, entered) } : {};
    if (answer.challenge === undefined) return { redirectTo: after, ...kept };
    const { sealed, ...handover } = answer.challenge;
    return { ...toBank(view, surcharge, { handover, sealed }), ...kept };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (ENDED.includes(error.problems[0]?.code ?? "")) return { redirectTo: after };
    if (error.problems[0]?.code === "checkout_saved_card_refused") return showAgain(view, gone);
    if (error.problems[0]?.code === "card_security_code_invalid") return wrong(error.problems);
    const { wait } = error.problems[0] ?? {};
    const { tryLater, tooMany } = view.speech.words;
    if (wait === undefined) return showAgain(view, { ...entered, notice: tryLater });
    return { ...showAgain(view, { ...entered, notice: tooMany }), status: 429, retryAfterMs: wait };
  }
}

/** To the bank's page in the full window: by a redirect, or by a form where the bank wants one. */
function toBank(
  view: PayersView,
  { amount }: Surcharge,
  { handover: { url, fields }, sealed }: { readonly handover: Handover; readonly sealed: string },
): PageReply {
  if (fields === undefined) return { redirectTo: url, sealed };
  const content = bankForm(view, url, fields);
  const order = presentOrder(view, amount);
  const model = modelOf(view, { state: "challenge", content, hasForm: true, order });
  return { status: 200, view, model, sealed };
}

/** Locked, ended, or an attempt that was used: the page shows the state. */
const ENDED: readonly string[] = [
  "checkout_token_refused",
  "checkout_payment_in_progress",
  "payment_request_state_conflict",
];

function savedOf(view: PayersView, { savedCard }: Choice): SavedCard | undefined {
  return openingOf(view).saved.cards.find(({ id }) => id === savedCard?.id);
}

function surchargeOn(view: PayersView, { card }: Choice, saved: SavedCard | undefined): Surcharge {
  const { amount, rates = {} } = openingOf(view);
  return saved === undefined
    ? quoteSurcharge(amount, rates, card?.number ?? "")
    : surchargeFor(amount, rates, cardTypeNamed(saved.cardType));
}

/** Shows the form again with its problems, without card number and security code. */
function showAgain(view: PayersView, error: FormError) {
  return { status: 400, view, model: presentPage(view, error) };
}

function errorOf(view: PayersView, problems: readonly Problem[]): FormError {
  const { words } = view.speech;
  const byField = fieldProblems(words, problems);
  const notice = Object.keys(byField).length === 0 ? words.tryLater : view.language.page.checkFields;
  return { problems: byField, notice };
}

type Unconfirmed = {
  readonly surcharge: Surcharge;
  readonly choice: Choice;
  readonly saved: SavedCard | undefined;
  readonly entered: Entries;
};

/** Shows the total before anything is charged. Until the payer confirms, the card is sealed in the payer's page. */
async function confirm(
  ctx: Context,
  view: PayersView,
  input: PayInput,
  { surcharge, choice, saved, entered }: Unconfirmed,
): Promise<PageReply> {
  const now = clockOf(ctx, view.merchant);
  const time = { now, until: later(now, CHALLENGE_LIFE) };
  const sealed = await seal(ctx, JSON.stringify(choice), sealedFor(view), time);
  const { page } = pageAddresses(view);
  const number = choice.card?.number ?? "";
  const content = confirmForm(view, {
    action: page,
    backTo: page,
    amount: view.request.amount,
    surcharge,
    card: cardLabel(view.speech.words, saved ?? { cardType: cardTypeOf(number), last4: number.slice(-4) }),
    hidden: {
      attempt: String(view.failedAttempts),
      total: String(input.total),
      sealed,
      ...(input.consent ? { consent: "yes" } : {}),
    },
  });
  const order = presentOrder(view, surcharge.amount);
  const model = modelOf(view, { state: "ready", content, hasForm: true, order });
  // For a payer who goes back to use another card.
  const { expiry: _, ...rest } = entered;
  return { status: 200, view, model, entries: await sealEntries(ctx, view, { ...rest, chosen: "" }) };
}

async function unsealChoice(ctx: Context, view: PayersView, fields: FormFields): Promise<Choice | undefined> {
  const text = await unseal(ctx, fields["sealed"] ?? "", sealedFor(view), clockOf(ctx, view.merchant));
  return text === undefined ? undefined : (JSON.parse(text) as Choice);
}

function sealedFor(view: PayersView): string {
  return `confirm ${view.session}`;
}
