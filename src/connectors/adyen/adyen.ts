import { approve, decline } from "../../kernel/codes/outcomes.ts";
import { idMoment, parseId } from "../../kernel/ids.ts";
import { type Cents, cents } from "../../kernel/money.ts";
import { DAY, type Instant, SECOND } from "../../kernel/time.ts";
import { randomText } from "../../platform/crypto/secrets.ts";
import type { Log } from "../../platform/log/log.ts";
import type { AcquirerConnector, OpenAccount } from "../ports/acquirer-connector.ts";
import type {
  AcquirerAnswer,
  AuthorisationRequest,
  CardAcquirer,
  OperationRequest,
  ReversalRequest,
} from "../ports/card-acquirer.ts";
import { describeRejection } from "./describe-rejection.ts";
import { type Exchange, openHost } from "./exchange.ts";
import { idempotencyKey, keyOf, type Verb } from "./idempotency-key.ts";
import { readNotification } from "./notification.ts";
import { operationAnswer, paymentAnswer } from "./payment-answer.ts";
import { paymentBody } from "./payment-body.ts";
import { isRefusalCode } from "./refusals.ts";
import { readSettings, settingsProblems } from "./settings.ts";
import { testConnection } from "./test-connection.ts";
import { createThreeDSecure } from "./three-d-secure.ts";

export type AdyenParts = {
  readonly log: Log;
  readonly now: () => Instant;
  /** The gateway's own address. */
  readonly baseUrl: string;
  /** How long the gateway waits for an answer of Adyen. */
  readonly answersWithinMs?: number;
};

/** Adyen asks a bank, which may take its time; a payer waits as long. */
const ANSWERS_WITHIN = 15 * SECOND;

/** The share of it after which a connection is given up: another account can then still take the payment. */
const CONNECT_SHARE = 1 / 3;

/** An answer that comes later than the gateway waits still settles the payment. */
const LATE_FACTOR = 4;

/** Adyen's Checkout API, version 71, with raw card data. Decision 38 has the reasons. */
export function createAdyenConnector(parts: AdyenParts): AcquirerConnector {
  return {
    offersThreeDSecure: true,
    checkSettings: async (settings) => settingsProblems(settings),
    open: (account) => openAccount(parts, account),
  };
}

type Sent = {
  readonly verb: Verb;
  readonly reference: string;
  readonly path: string;
  readonly body: object;
  readonly signal: AbortSignal;
  /** Parts of the body that must not show up anywhere else. */
  readonly secrets?: readonly (string | undefined)[];
};

type Posted = Omit<Sent, "verb" | "secrets"> & {
  /** For the log. */
  readonly what: string;
  readonly key: string;
  readonly secrets: readonly (string | undefined)[];
};

function openAccount(parts: AdyenParts, { merchantId, settings: stored }: OpenAccount): CardAcquirer {
  const settings = readSettings(stored);
  const { merchantAccount } = settings;
  const answersWithinMs = parts.answersWithinMs ?? ANSWERS_WITHIN;
  const host = openHost(settings, {
    connectMs: answersWithinMs * CONNECT_SHARE,
    exchangeMs: answersWithinMs * LATE_FACTOR,
  });

  async function send({ verb, reference, path, body, signal, secrets = [] }: Sent): Promise<Exchange> {
    const key = idempotencyKey(verb, reference, parts.now());
    return post({ what: verb, key, reference, path, body, signal, secrets });
  }

  async function post({ what, key, reference, path, body, signal, secrets }: Posted): Promise<Exchange> {
    const exchange = await host.post({ path, body, idempotencyKey: key, signal });
    const problem = describeRejection(exchange, [settings.apiKey, ...secrets]);
    if (problem !== undefined) {
      const { milliseconds } = exchange;
      parts.log.warn({ merchantId, subjectId: reference, milliseconds }, `Adyen: no ${what}: ${problem}`);
    }
    return exchange;
  }

  async function pay(
    verb: Verb,
    request: AuthorisationRequest,
    signal: AbortSignal,
  ): Promise<AcquirerAnswer> {
    const { reference, card } = request;
    const body = paymentBody(request, { merchantAccount, returnUrl: parts.baseUrl });
    const secrets = [card.number, card.securityCode, card.cryptogram];
    const exchange = await send({ verb, reference, path: "/payments", body, signal, secrets });
    return paymentAnswer(exchange, totalOf(request));
  }

  /** An operation names the payment by Adyen's reference; `amount` where it has one. */
  async function operate(
    verb: "capture" | "void" | "refund",
    { reference, payment, amount }: OperationRequest,
    signal: AbortSignal,
  ): Promise<AcquirerAnswer> {
    const paymentReference = payment.facts.acquirerReference;
    if (paymentReference === undefined) return decline("invalid_transaction");
    // A second cancellation takes nothing.
    if (verb !== "void" && isOld(reference, parts.now())) {
      const about = { merchantId, subjectId: reference };
      parts.log.warn(about, `Adyen: ${verb} not sent again after a week: look up its outcome at Adyen`);
      return { kind: "unknown" };
    }
    const path = `/payments/${encodeURIComponent(paymentReference)}/${PATHS[verb]}`;
    const value = { value: amount, currency: payment.currency };
    const body = { merchantAccount, reference, ...(verb === "void" ? {} : { amount: value }) };
    return operationAnswer(await send({ verb, reference, path, body, signal }));
  }

  return {
    can: { inquire: false, repeatRefund: true },
    needs: { cardNumber: false },
    answersWithinMs,
    authorise: (request, signal) => pay("authorise", request, signal),
    verify: (request, signal) => pay("verify", { ...request, amount: NOTHING, surcharge: NOTHING }, signal),
    reverse: async ({ reference, payment }, signal) => {
      // A refund may be sent again instead, so that none has to be reversed.
      if (reference !== payment.reference) return decline("function_not_permitted_to_terminal");
      if (isRefusalCode(payment.facts.responseCode)) return approve("approved");
      const { acquirerReference: known, reversedReference } = payment.facts;
      if (known !== undefined && known === reversedReference) return approve("approved");
      const reversal = reversalOf({ reference, payment }, merchantAccount);
      return operationAnswer(await send({ ...reversal, reference, signal }));
    },
    capture: (request, signal) => operate("capture", request, signal),
    void: (request, signal) => operate("void", request, signal),
    refund: (request, signal) => operate("refund", request, signal),
    threeDSecure: createThreeDSecure(
      ({ step, reference, secrets = [], ...call }) =>
        post({ what: "authentication", key: keyOf(`${step}-${reference}`), reference, secrets, ...call }),
      merchantAccount,
    ),
    notification: async (_headers, body) => readNotification(settings, body),
    test: async (signal) => testConnection(host, settings, { key: `test-${randomText(16)}`, signal }),
    close: host.close,
  };
}

/** Long before Adyen forgets a key: a capture or refund that is repeated after that would be a second one. */
const REPEATED_FOR = 7 * DAY;

function isOld(reference: string, now: Instant): boolean {
  const id = parseId("refund", reference) ?? parseId("operation", reference);
  return id !== undefined && now - idMoment(id) > REPEATED_FOR;
}

const PATHS = { capture: "captures", void: "cancels", refund: "refunds" } as const;
const NOTHING = cents(0);

function totalOf({ amount, surcharge }: AuthorisationRequest): Cents {
  return cents(amount + surcharge);
}

/**
 * A payment is cancelled by our reference, which works for 24 hours and while nothing is captured. A sale is captured soon;
 * once Adyen's reference is known, it is reversed by that, which refunds what was captured. Adyen's examples differ in which
 * of two references returns in the notification of a cancel, so both are the same.
 */
function reversalOf(
  { reference, payment }: ReversalRequest,
  merchantAccount: string,
): Pick<Sent, "verb" | "path" | "body"> {
  const known = payment.facts.acquirerReference;
  if (known === undefined || !payment.isCaptured) {
    const body = { merchantAccount, reference, paymentReference: reference };
    return { verb: "cancel", path: "/cancels", body };
  }
  const path = `/payments/${encodeURIComponent(known)}/reversals`;
  return { verb: "reverse", path, body: { merchantAccount, reference } };
}
