import { createAdyenConnector } from "../../../src/connectors/adyen/adyen.ts";
import type {
  AuthorisationRequest,
  CardAcquirer,
  NotifiedAnswer,
  OriginalPayment,
} from "../../../src/connectors/ports/card-acquirer.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { cents } from "../../../src/kernel/money.ts";
import { type Instant, instant } from "../../../src/kernel/time.ts";
import type { Log } from "../../../src/platform/log/log.ts";
import { type FakeAdyen, openFakeAdyen } from "../../support/fake-adyen.ts";
import { FAKE_AMOUNTS } from "../../support/fake-adyen-answers.ts";

export type OpenAdyen = {
  readonly fake: FakeAdyen;
  readonly acquirer: CardAcquirer;
  /** Every line that the connector wrote to its log. */
  readonly logged: string[];
  /** Gives the connector the notifications that wait, and returns what it found in them. */
  readonly notified: (bodies?: readonly string[]) => Promise<readonly NotifiedAnswer[]>;
  readonly close: () => Promise<void>;
};

type Changes = {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly now?: () => Instant;
  readonly answersWithinMs?: number;
};

/** An account of the Adyen connector, opened against a fake. */
export async function openAdyen(changes: Changes = {}): Promise<OpenAdyen> {
  const fake = await openFakeAdyen();
  const logged: string[] = [];
  const write: Log["warn"] = (fields, message) => void logged.push(JSON.stringify([fields, message]));
  const now = changes.now ?? (() => instant(Date.now()));
  const connector = createAdyenConnector({
    log: { debug: write, info: write, warn: write, error: write },
    now,
    baseUrl: "http://localhost:3000",
    ...(changes.answersWithinMs === undefined ? {} : { answersWithinMs: changes.answersWithinMs }),
  });
  const acquirer = connector.open({
    id: newId("acquirerAccount", now()),
    merchantId: newId("merchant", now()),
    zone: async () => "Australia/Sydney",
    settings: { ...fake.settings, ...changes.settings },
  });
  return {
    fake,
    acquirer,
    logged,
    notified: async (bodies = fake.takeNotifications()) => {
      const facts: NotifiedAnswer[] = [];
      for (const body of bodies) {
        const notification = await acquirer.notification?.({}, body);
        if (notification?.kind !== "verified") throw new Error("a notification of the fake was refused");
        for (const fact of notification.facts) {
          if (fact.about === "dispute") throw new Error("a notification of the fake is about a dispute");
          facts.push(fact);
        }
      }
      return facts;
    },
    close: async () => {
      await acquirer.close();
      await fake.close();
    },
  };
}

/** Nothing is aborted. */
export const WAIT = new AbortController().signal;

export function newRequest(changes: Partial<AuthorisationRequest> = {}): AuthorisationRequest {
  const now = instant(Date.now());
  return {
    reference: newId("transaction", now),
    paymentRequestId: newId("paymentRequest", now),
    amount: cents(FAKE_AMOUNTS.approved),
    surcharge: cents(0),
    currency: "AUD",
    isCapturedAtOnce: true,
    origin: "internet",
    initiator: "payer",
    card: {
      number: "4111111111111111",
      expiryMonth: 3,
      expiryYear: 2030,
      securityCode: "737",
      name: "Jo Payer",
    },
    ...changes,
  };
}

/** The payment as the gateway has recorded it after an answer. */
export function paymentOf(
  { reference, amount, surcharge, currency, isCapturedAtOnce, origin }: AuthorisationRequest,
  facts: OriginalPayment["facts"] = {},
): OriginalPayment {
  return {
    reference,
    amount: cents(amount + surcharge),
    currency,
    isCaptured: isCapturedAtOnce,
    origin,
    facts,
  };
}

/** Authorises, and returns the payment with the facts of the approval. */
export async function approvedPayment(
  acquirer: CardAcquirer,
  changes: Partial<AuthorisationRequest> = {},
): Promise<OriginalPayment> {
  const request = newRequest(changes);
  const answer = await acquirer.authorise(request, WAIT);
  if (answer.kind !== "approved") throw new Error(`the payment is ${answer.kind}`);
  return paymentOf(request, answer.facts);
}

export function newOperation(payment: OriginalPayment, amount: number) {
  const now = instant(Date.now());
  return { reference: newId("operation", now), payment, amount: cents(amount) };
}
