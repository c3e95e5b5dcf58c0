import {
  answerWith,
  approve,
  decline,
  isApproval,
  OUTCOMES,
  type OutcomeName,
  outcomeOf,
} from "../../kernel/codes/outcomes.ts";
import { retryAdviceOf } from "../../kernel/codes/retry-advice.ts";
import { defined } from "../../kernel/defined.ts";
import { cents } from "../../kernel/money.ts";
import { SECOND } from "../../kernel/time.ts";
import { hashSecret } from "../../platform/crypto/secrets.ts";
import type {
  AcquirerAnswer,
  AuthorisationRequest,
  CardAcquirer,
  FinalAnswer,
  InquiryAnswer,
  OperationRequest,
} from "../ports/card-acquirer.ts";
import type { PayerAddress } from "../ports/payer.ts";
import { type CardScenario, cardScenario } from "./card-scenarios.ts";
import type { Entry, Ledger } from "./ledger.ts";

export type Wait = (seconds: number) => Promise<void>;

/** A connection that broke after the acquirer had recorded the authorisation. */
class ConnectionDropped extends Error {
  override readonly name = "ConnectionDropped";
}

/**
 * Simulates an acquirer: the amount decides the scenario. Its ledger has one entry each for an authorisation, its captures,
 * its refunds and its reversal.
 */
export function createSandboxAcquirer(ledger: Ledger, wait: Wait): CardAcquirer {
  async function authorise(request: AuthorisationRequest): Promise<AcquirerAnswer> {
    const scenario = cardScenario(request.amount);
    if (scenario.does === "beAway") return { kind: "not_received", reason: "the sandbox acquirer is away" };
    if (scenario.does === "approveSlowly") await wait(scenario.seconds);
    const code = await decide(scenario, request);
    const entry = await ledger.addOnce({
      kind: "authorisation",
      reference: request.reference,
      belongsTo: request.paymentRequestId,
      amount: scenario.does === "approvePart" ? scenario.amount : request.amount + request.surcharge,
      facts: {
        code: OUTCOMES[code],
        currency: request.currency,
        captured: String(request.isCapturedAtOnce),
        ...factsOf(request, code),
        ...(scenario.does === "approvePart" ? { approvedAmount: String(scenario.amount) } : {}),
        ...(request.card.cryptogram === undefined ? {} : { cryptogram: "present" }),
      },
    });
    if (scenario.does === "approveAndDrop") throw new ConnectionDropped("the connection broke");
    return answerOf(entry);
  }

  /** Security code 000 declines a verification; amounts do not matter. */
  async function verify(request: AuthorisationRequest): Promise<AcquirerAnswer> {
    const code = request.card.securityCode === "000" ? "do_not_honour" : "approved";
    const entry = await ledger.addOnce({
      kind: "verification",
      reference: request.reference,
      belongsTo: request.paymentRequestId,
      amount: 0,
      facts: { code: OUTCOMES[code], ...factsOf(request, code) },
    });
    return answerOf(entry);
  }

  async function decide(scenario: CardScenario, request: AuthorisationRequest): Promise<OutcomeName> {
    if (scenario.does === "approve" || scenario.does === "approvePart" || scenario.does === "decline")
      return scenario.code;
    if (scenario.does !== "declineFirst") return "approved";
    const earlier =
      request.paymentRequestId === null ? [] : await ledger.listBelongingTo(request.paymentRequestId);
    return earlier.some((entry) => entry.kind === "authorisation") ? "approved" : scenario.code;
  }

  async function inquire(reference: string): Promise<InquiryAnswer> {
    const entry = await ledger.find("authorisation", reference);
    return entry === undefined ? { kind: "never_seen" } : answerOf(entry);
  }

  /**
   * An authorisation that has not arrived yet is declined in advance: its reference has an entry already. One that was
   * captured later can only be refunded.
   */
  async function reverse(reference: string): Promise<FinalAnswer> {
    const facts = { code: OUTCOMES.downstream_error, currency: "", captured: "false" };
    const entry = await ledger.addOnce({
      kind: "authorisation",
      reference,
      belongsTo: null,
      amount: 0,
      facts,
    });
    if (answerOf(entry).kind !== "approved") return approve("approved");
    const lines = await ledger.listBelongingTo(reference);
    if (lines.some((line) => line.kind === "capture" && answerOf(line).kind === "approved"))
      return decline("invalid_transaction");
    await ledger.addOnce({
      kind: "reversal",
      reference,
      belongsTo: reference,
      amount: entry.amount,
      facts: {},
    });
    return approve("approved");
  }

  async function operate(kind: "capture" | "refund", request: OperationRequest): Promise<AcquirerAnswer> {
    const code = await decideOperation(kind, request);
    const entry = await ledger.addOnce({
      kind,
      reference: request.reference,
      belongsTo: request.payment.reference,
      amount: request.amount,
      facts: { code: OUTCOMES[code] },
    });
    return answerOf(entry);
  }

  async function decideOperation(
    kind: "capture" | "refund",
    request: OperationRequest,
  ): Promise<OutcomeName> {
    const taken = await ledger.find("authorisation", request.payment.reference);
    if (taken === undefined || answerOf(taken).kind !== "approved") return "invalid_transaction";
    if (await ledger.find("reversal", request.payment.reference)) return "invalid_transaction";
    if (kind === "capture" && request.amount > taken.amount) return "invalid_amount";
    const scenario = cardScenario(request.amount);
    if (scenario.does === "decline") return scenario.code;
    const special = scenario.does === "approve" || scenario.does === "approvePart";
    return kind === "refund" && special ? scenario.code : "approved";
  }

  return {
    can: { inquire: true, repeatRefund: true },
    needs: { cardNumber: false },
    answersWithinMs: 15 * SECOND,
    authorise,
    verify,
    inquire,
    reverse: (request) => reverse(request.reference),
    void: (request) => reverse(request.payment.reference),
    capture: (request) => operate("capture", request),
    refund: (request) => operate("refund", request),
    test: async () => ({
      hasPassed: true,
      milliseconds: 0,
      detail: "The sandbox acquirer runs in this process.",
    }),
    close: async () => {},
  };
}

/** The facts of an answer, as an acquirer would return them. They depend on the reference alone, so a repeat returns the same. */
function factsOf({ reference, card, payer }: AuthorisationRequest, code: OutcomeName): Entry["facts"] {
  // Letters only: a row of digits could be taken for a card number or a security code.
  const letters = Array.from(hashSecret(reference), (byte) => String.fromCharCode(65 + (byte % 26))).join("");
  return {
    responseCode: OUTCOMES[code].slice(-2),
    retrievalReference: letters.slice(0, 12),
    ...(isApproval(code)
      ? { authorisationCode: letters.slice(12, 18), networkTransactionId: letters.slice(-14) }
      : {}),
    ...(card.securityCode === undefined ? {} : { securityCodeResult: "M" }),
    ...(payer?.address === undefined ? {} : { addressResult: addressResultOf(payer.address) }),
  };
}

/** The schemes' letters: Y street and postcode match, Z the postcode alone, N nothing does. Postcode 0000 never matches. */
function addressResultOf({ lines, postcode }: PayerAddress): string {
  if (postcode === "0000") return "N";
  return lines.length === 0 ? "Z" : "Y";
}

function answerOf(entry: Entry): FinalAnswer {
  const answer = answerWith(outcomeOf(entry.facts["code"] ?? ""));
  const { responseCode, retrievalReference, authorisationCode, networkTransactionId } = entry.facts;
  const { securityCodeResult, addressResult } = entry.facts;
  const facts = defined({
    responseCode,
    retrievalReference,
    authorisationCode,
    networkTransactionId,
    securityCodeResult,
    addressResult,
  });
  if (answer.kind === "declined")
    return { ...answer, facts, ...defined({ advice: retryAdviceOf(answer.code) }) };
  const { approvedAmount } = entry.facts;
  return approvedAmount === undefined
    ? { ...answer, facts }
    : { ...answer, facts, approvedAmount: cents(Number(approvedAmount)) };
}
