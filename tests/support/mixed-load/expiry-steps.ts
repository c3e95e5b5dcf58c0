import assert from "node:assert/strict";
import { callsTo } from "../calls.ts";
import { advanceClock, CARD, callApi, openFrame, type Shop } from "../checkout.ts";
import { DISPUTED } from "../disputes.ts";
import { DAY_SECONDS, payIdShop } from "../payid.ts";
import { MANUAL } from "./card-steps.ts";
import { allow, atOnce, type Lane, payByCard } from "./lane.ts";
import { whenDisputedSoon } from "./open-disputes.ts";

/** Seconds that are longer than a request, an authorisation and a dispute live, even if the clocks of nodes differ by an hour. */
const [AFTER_REQUEST, AFTER_AUTHORISATION, AFTER_DISPUTE] = [
  2 * DAY_SECONDS,
  8 * DAY_SECONDS,
  15 * DAY_SECONDS,
];
/** Valid for longer than the clock of a merchant moves. */
const LONG_LIVED = { expiryYear: CARD.expiryYear + 12 };

/** Merchants with a move of their clock whose call was interrupted: it may take effect during a later step. */
const moving = new Set<string>();

async function moveClock(shop: Shop, seconds: number): Promise<void> {
  await advanceClock(shop, seconds).catch((error: unknown) => {
    moving.add(shop.key);
    throw error;
  });
}

/** A step with the merchant that only its lane uses. It ends where an earlier move of the clock has expired its request at once. */
function onItsOwn(step: (own: Lane) => Promise<void>): (lane: Lane) => Promise<void> {
  return async (lane) => {
    assert.ok(lane.ahead, "this lane has no merchant of its own");
    const { key } = lane.ahead();
    await step({ ...lane, at: lane.ahead }).catch((error: unknown) => {
      if (!moving.has(key) || !isOfExpired(error)) throw error;
    });
  };
}

/** What a call about an expired request is answered with; its session ends with it. */
function isOfExpired(error: unknown): boolean {
  return error instanceof assert.AssertionError && /V11190|V11610|V11615/.test(error.message);
}

/** Requests expire while a frame is open; a payer of another one pays at that moment, and a transfer comes too late. */
export const expireRequests = onItsOwn(async ({ at, random, counts, done }) => {
  const payIds = () => {
    const { baseUrl, key } = at();
    return payIdShop(callsTo(baseUrl), key);
  };
  const abandoned = await openFrame(at());
  const awaiting = await payIds().request();
  const raced = random() < 0.3 ? await openFrame(at()) : undefined;
  const paying = raced?.at(at()).pay({ card: LONG_LIVED });
  paying?.catch(() => {});
  await moveClock(at(), AFTER_REQUEST);
  done("expired requests", abandoned.requestId);
  done("expired requests", awaiting.id);
  const late = allow(await payIds().send(awaiting.payId, 3_000), 200).body;
  assert.deepEqual([late.status, late.reason], ["returned", "late"]);
  done("late transfers", late.id);
  // The session ends with the request.
  const [paid] = await atOnce(paying === undefined ? [] : [paying], 200, 401, 409);
  if (paid?.status !== 200) return;
  counts.payments += 1;
  if (paid.body.state === "approved") done("card payments", paid.body.transactionId);
});

/** An authorisation expires, sometimes while the merchant captures it. */
export const expireAuthorisation = onItsOwn(async (own) => {
  const { at, random, done } = own;
  const id = await payByCard(own, { category: MANUAL }, { card: LONG_LIVED });
  if (id === undefined) return;
  const capturing = random() < 0.3 ? callApi(at(), "POST", `/transactions/${id}/capture`) : undefined;
  capturing?.catch(() => {});
  await moveClock(at(), AFTER_AUTHORISATION);
  if (capturing === undefined) {
    done("expired authorisations", id);
    return;
  }
  const [captured] = await atOnce([capturing], 200, 409);
  if (captured?.status === 409) done("expired authorisations", id);
  if (captured?.status === 200 && captured.body.captureStatus === "captured") done("captures", id);
});

/** The merchant does not respond to a dispute in time. */
export const letDisputeLapse = onItsOwn(async (own) => {
  const id = await payByCard(own, { amount: DISPUTED }, { card: LONG_LIVED });
  const dispute = id && (await whenDisputedSoon(own.at, id));
  if (!dispute) return;
  await moveClock(own.at(), AFTER_DISPUTE);
  own.done("lapsed disputes", dispute.id);
});
