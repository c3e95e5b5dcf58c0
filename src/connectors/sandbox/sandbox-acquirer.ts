import {
  answerWith,
  approve,
  decline,
  OUTCOMES,
  type OutcomeName,
  outcomeOf,
} from "../../kernel/codes/outcomes.ts";
import { cents } from "../../kernel/money.ts";
import type {
  AcquirerAnswer,
  AuthorisationRequest,
  CardAcquirer,
  InquiryAnswer,
  OperationRequest,
} from "../ports/card-acquirer.ts";
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
    if (scenario.does === "beAway") return decline("downstream_error");
    if (scenario.does === "approveSlowly") await wait(scenario.seconds);
    const code = await decide(scenario, request);
    const entry = await ledger.addOnce({
      kind: "authorisation",
      reference: request.reference,
      belongsTo: request.order,
      amount: scenario.does === "approvePart" ? scenario.amount : request.amount + request.surcharge,
      facts: {
        code: OUTCOMES[code],
        currency: request.currency,
        captured: String(request.capture),
        ...(scenario.does === "approvePart" ? { approvedAmount: String(scenario.amount) } : {}),
        ...(request.card.cryptogram === undefined ? {} : { cryptogram: "present" }),
      },
    });
    if (scenario.does === "approveAndDrop") throw new ConnectionDropped("the connection broke");
    return answerOf(entry);
  }

  async function decide(scenario: CardScenario, request: AuthorisationRequest): Promise<OutcomeName> {
    if (scenario.does === "approve" || scenario.does === "approvePart" || scenario.does === "decline")
      return scenario.code;
    if (scenario.does !== "declineFirst") return "approved";
    const earlier = request.order === null ? [] : await ledger.listBelongingTo(request.order);
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
  async function reverse(reference: string): Promise<AcquirerAnswer> {
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
      belongsTo: request.transaction,
      amount: request.amount,
      facts: { code: OUTCOMES[code] },
    });
    return answerOf(entry);
  }

  async function decideOperation(
    kind: "capture" | "refund",
    request: OperationRequest,
  ): Promise<OutcomeName> {
    const taken = await ledger.find("authorisation", request.transaction);
    if (taken === undefined || answerOf(taken).kind !== "approved") return "invalid_transaction";
    if (await ledger.find("reversal", request.transaction)) return "invalid_transaction";
    if (kind === "capture" && request.amount > taken.amount) return "invalid_amount";
    const scenario = cardScenario(request.amount);
    if (scenario.does === "decline") return scenario.code;
    const special = scenario.does === "approve" || scenario.does === "approvePart";
    return kind === "refund" && special ? scenario.code : "approved";
  }

  return {
    authorise,
    inquire,
    reverse,
    capture: (request) => operate("capture", request),
    refund: (request) => operate("refund", request),
  };
}

function answerOf(entry: Entry): AcquirerAnswer {
  const answer = answerWith(outcomeOf(entry.facts["code"] ?? ""));
  const { approvedAmount } = entry.facts;
  return answer.kind === "approved" && approvedAmount !== undefined
    ? { ...answer, approvedAmount: cents(Number(approvedAmount)) }
    : answer;
}
