import type {
  AcquirerAnswer,
  CardAcquirer,
  NotifiedFact,
} from "../../../src/connectors/ports/card-acquirer.ts";
import { type Instant, instant, MINUTE } from "../../../src/kernel/time.ts";
import { FAKE_AMOUNTS } from "../../support/fake-adyen-answers.ts";
import { testCardAcquirer } from "../card-acquirer-contract.ts";
import { type OpenAdyen, openAdyen } from "./open-adyen.ts";

testCardAcquirer("Adyen", async () => {
  // Every call is a minute after the one before: a reversal that is sent again is a new one.
  let now = instant(Date.now());
  const adyen = await openAdyen({
    now: (): Instant => {
      now = instant(now + MINUTE);
      return now;
    },
  });
  return {
    acquirer: withOutcomes(adyen),
    amounts: {
      approved: FAKE_AMOUNTS.approved,
      declined: FAKE_AMOUNTS.insufficientFunds,
      partial: FAKE_AMOUNTS.partial,
    },
    forgetsEarlyReversals: true,
    ledgerOf: async (reference) => {
      const { held, captured, refunded } = adyen.fake.ledgerOf(reference);
      // What a reversal has refunded in full is no longer held.
      return { held: refunded === held ? 0 : held, captured, refunded };
    },
    close: adyen.close,
  };
});

/** The acquirer whose accepted operations end at once: their notifications are read before the call returns. */
function withOutcomes({ acquirer, notified }: OpenAdyen): CardAcquirer {
  const outcomes = new Map<string, AcquirerAnswer>();
  const settled = async (
    about: NotifiedFact["about"],
    reference: string,
    answer: AcquirerAnswer,
  ): Promise<AcquirerAnswer> => {
    for (const fact of await notified()) {
      const key = `${fact.about} ${fact.reference}`;
      // A second reversal of the same payment finds nothing to reverse; the first outcome counts.
      if (outcomes.get(key)?.kind !== "approved") outcomes.set(key, fact.answer);
    }
    return answer.kind === "accepted" ? (outcomes.get(`${about} ${reference}`) ?? answer) : answer;
  };
  return {
    ...acquirer,
    capture: async (request, signal) =>
      settled("capture", request.reference, await acquirer.capture(request, signal)),
    void: async (request, signal) => settled("void", request.reference, await acquirer.void(request, signal)),
    refund: async (request, signal) =>
      settled("refund", request.reference, await acquirer.refund(request, signal)),
    reverse: async (request, signal) =>
      settled("reversal", request.reference, await acquirer.reverse(request, signal)),
  };
}
