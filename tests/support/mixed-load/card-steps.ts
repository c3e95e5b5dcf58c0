import assert from "node:assert/strict";
import { callApi, ok, openFrame, type RequestOverrides } from "../checkout.ts";
import { DISPUTED, type DisputeRecord } from "../disputes.ts";
import { pick } from "../random.ts";
import { AMEX } from "../saved-cards.ts";
import { PART } from "./answered.ts";
import { atOnce, type Lane, payByCard, successes } from "./lane.ts";
import { openDisputes, whenDisputedSoon } from "./open-disputes.ts";

const SECURE = { authenticationType: "3d_secure" };
export const MANUAL = { captureType: "manual" };
const CHALLENGED = { amount: 14_418, category: SECURE };
/** Approved, declined, authenticated, challenged, approved without an answer, unreachable, approved in part, disputed. */
const CARD_REQUESTS: readonly RequestOverrides[] = [
  {},
  { amount: 14_451 },
  { category: SECURE },
  CHALLENGED,
  { amount: 14_481 },
  { amount: 14_482 },
  { amount: 14_410 },
  { amount: DISPUTED },
];
const DECLINED_ONCE = { amount: 14_419, attempts: 3 };
/** The merchants of a load take two per cent more from American Express. */
export const SURCHARGING = { enabled: true, rates: { amex: { percent: 2 } } };
const SURCHARGED_TOTAL = 3_060;

export async function payWithAnyCard(lane: Lane): Promise<void> {
  await payByCard(lane, pick(lane.random, CARD_REQUESTS));
}

export async function passChallenge(lane: Lane): Promise<void> {
  await payByCard(lane, CHALLENGED);
}

export async function refund(lane: Lane): Promise<void> {
  const { at, random, done } = lane;
  const id = await payByCard(lane, {});
  if (id === undefined) return;
  // Sometimes three refunds at once, of which two would exceed the payment.
  const amounts = random() < 0.3 ? [2_000, 2_000, 2_000] : [100];
  const answers = await atOnce(
    amounts.map((amount) => callApi(at(), "POST", `/transactions/${id}/refunds`, { payment: { amount } })),
    200,
    409,
    422,
  );
  const made = successes(answers);
  assert.ok(made.length <= 1, "refunds of more than was captured were accepted");
  for (const { body } of made) done("card refunds", body.id);
}

/** The first attempt is declined, the second one approved. */
export async function tryAgain({ at, counts, done }: Lane): Promise<void> {
  const frame = await openFrame(at(), DECLINED_ONCE);
  const first = ok(await frame.at(at()).pay());
  counts.payments += 1;
  if (first.state !== "declined") return;
  const previousTransactionId: string = first.transactionId;
  const second = ok(await frame.at(at()).pay({ previousTransactionId }));
  if (second.state === "approved") done("second attempts", second.transactionId);
}

export async function paySurcharge(lane: Lane): Promise<void> {
  const id = await payByCard(lane, {}, { card: AMEX, total: SURCHARGED_TOTAL });
  if (id !== undefined) lane.done("surcharged payments", id);
}

/** Captures, voids or both, at once: one of them happens. */
function finishing(...calls: readonly ("capture" | "captureInPart" | "cancel")[]) {
  return async (lane: Lane): Promise<void> => {
    const { at, done } = lane;
    const id = await payByCard(lane, { category: MANUAL });
    if (id === undefined) return;
    const part = { payment: { amount: PART } };
    const answers = await atOnce(
      calls.map((call) =>
        call === "captureInPart"
          ? callApi(at(), "POST", `/transactions/${id}/capture`, part)
          : callApi(at(), "POST", `/transactions/${id}/${call}`),
      ),
      200,
      409,
    );
    assert.ok(successes(answers).length <= 1, `${calls.join(" and ")} were both accepted`);
    answers.forEach((answer, index) => {
      const status = answer?.status === 200 ? answer.body.captureStatus : undefined;
      if (status === "voided") done("voids", id);
      if (status === "captured") done(calls[index] === "capture" ? "captures" : "partial captures", id);
    });
  };
}

export const capture = finishing("capture");
export const captureInPart = finishing("captureInPart");
export const voidPayment = finishing("cancel");
export const captureAndVoid = finishing("capture", "cancel");
export const captureTwice = finishing("captureInPart", "capture");

/** Responds to a dispute, which other lanes may do at the same time. */
export async function respondToDispute(lane: Lane): Promise<void> {
  const { at, random, done } = lane;
  const open = await openDisputes(at());
  const dispute: DisputeRecord | undefined = open.length > 0 ? pick(random, open) : await payAndDispute(lane);
  if (dispute === undefined) return;
  const verbs = pick(random, [["evidence"], ["accept"], ["evidence", "accept"]] as const);
  const text = pick(random, ["win", "The parcel was delivered."]);
  const answers = await atOnce(
    verbs.map((verb) =>
      callApi(at(), "POST", `/disputes/${dispute.id}/${verb}`, verb === "evidence" ? { text } : undefined),
    ),
    200,
    409,
  );
  assert.ok(successes(answers).length <= 1, `${verbs.join(" and ")} were both accepted`);
  answers.forEach((answer, index) => {
    if (answer?.status !== 200) return;
    done(verbs[index] === "evidence" ? "defended disputes" : "accepted disputes", dispute.id);
  });
}

async function payAndDispute(lane: Lane): Promise<DisputeRecord | undefined> {
  const id = await payByCard(lane, { amount: DISPUTED });
  return id === undefined ? undefined : whenDisputedSoon(lane.at, id);
}
