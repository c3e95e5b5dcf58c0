import assert from "node:assert/strict";
import { callsTo } from "../calls.ts";
import { advanceClock, CARD, callApi, type Frame, openFrame, type Shop } from "../checkout.ts";
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

/** The lane, with the merchant that only it uses. */
function onItsOwn(lane: Lane): Lane {
  assert.ok(lane.ahead, "this lane has no merchant of its own");
  return { ...lane, at: lane.ahead };
}

/**
 * A move of the clock whose call was interrupted may take effect during a later step: then its request has expired at once,
 * and the step ends.
 */
async function openFrameUnlessExpired(shop: Shop): Promise<Frame | undefined> {
  return openFrame(shop).catch((error: unknown) => {
    if (error instanceof assert.AssertionError && error.message.includes("V11190")) return undefined;
    throw error;
  });
}

/** Requests expire while a frame is open; a payer of another one pays at that moment, and a transfer comes too late. */
export async function expireRequests(lane: Lane): Promise<void> {
  const { at, random, counts, done } = onItsOwn(lane);
  const payIds = () => {
    const { baseUrl, key } = at();
    return payIdShop(callsTo(baseUrl), key);
  };
  const abandoned = await openFrameUnlessExpired(at());
  if (abandoned === undefined) return;
  const awaiting = await payIds().request();
  const raced = random() < 0.3 ? await openFrameUnlessExpired(at()) : undefined;
  const paying = raced?.at(at()).pay({ card: LONG_LIVED });
  paying?.catch(() => {});
  await advanceClock(at(), AFTER_REQUEST);
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
}

/** An authorisation expires, sometimes while the merchant captures it. */
export async function expireAuthorisation(lane: Lane): Promise<void> {
  const own = onItsOwn(lane);
  const { at, random, done } = own;
  const id = await payByCard(own, { category: MANUAL }, { card: LONG_LIVED });
  if (id === undefined) return;
  const capturing = random() < 0.3 ? callApi(at(), "POST", `/transactions/${id}/capture`) : undefined;
  capturing?.catch(() => {});
  await advanceClock(at(), AFTER_AUTHORISATION);
  if (capturing === undefined) {
    done("expired authorisations", id);
    return;
  }
  const [captured] = await atOnce([capturing], 200, 409);
  if (captured?.status === 409) done("expired authorisations", id);
  if (captured?.status === 200 && captured.body.captureStatus === "captured") done("captures", id);
}

/** The merchant does not respond to a dispute in time. */
export async function letDisputeLapse(lane: Lane): Promise<void> {
  const own = onItsOwn(lane);
  const id = await payByCard(own, { amount: DISPUTED }, { card: LONG_LIVED });
  const dispute = id && (await whenDisputedSoon(own.at, id));
  if (!dispute) return;
  await advanceClock(own.at(), AFTER_DISPUTE);
  own.done("lapsed disputes", dispute.id);
}
