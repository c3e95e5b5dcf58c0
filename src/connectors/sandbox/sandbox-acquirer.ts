import { answerWith, decline, OUTCOMES, type OutcomeName, outcomeOf } from "../../kernel/codes/outcomes.ts";
import { defined } from "../../kernel/defined.ts";
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
      amount: request.amount + request.surcharge,
      facts: defined({
        code: OUTCOMES[code],
        currency: request.currency,
        captured: String(request.capture),
        cryptogram: request.card.cryptogram === undefined ? undefined : "present",
      }),
    });
    if (scenario.does === "approveAndDrop") throw new ConnectionDropped("the connection broke");
    return answerOf(entry);
  }

  async function decide(scenario: CardScenario, request: AuthorisationRequest): Promise<OutcomeName> {
    if (scenario.does === "approve" || scenario.does === "decline") return scenario.code;
    if (scenario.does !== "declineFirst") return "approved";
    const earlier = request.order === null ? [] : await ledger.listBelongingTo(request.order);
    return earlier.some((entry) => entry.kind === "authorisation") ? "approved" : scenario.code;
  }

  async function inquire(reference: string): Promise<InquiryAnswer> {
    const entry = await ledger.find("authorisation", reference);
    return entry === undefined ? { kind: "never_seen" } : answerOf(entry);
  }

  /** An authorisation that has not arrived yet is declined in advance: its reference has an entry already. */
  async function reverse(reference: string): Promise<void> {
    const facts = { code: OUTCOMES.downstream_error, currency: "", captured: "false" };
    const entry = await ledger.addOnce({
      kind: "authorisation",
      reference,
      belongsTo: null,
      amount: 0,
      facts,
    });
    if (answerOf(entry).kind !== "approved") return;
    await ledger.addOnce({
      kind: "reversal",
      reference,
      belongsTo: reference,
      amount: entry.amount,
      facts: {},
    });
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
    if (kind === "capture") return request.amount <= taken.amount ? "approved" : "invalid_amount";
    const scenario = cardScenario(request.amount);
    return scenario.does === "approve" || scenario.does === "decline" ? scenario.code : "approved";
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
  return answerWith(outcomeOf(entry.facts["code"] ?? ""));
}
