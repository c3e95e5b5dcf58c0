import { answerWith, decline, OUTCOMES, type OutcomeName, outcomeOf } from "../../kernel/codes/outcomes.ts";
import type {
  AcquirerAnswer,
  AuthoriseAsk,
  CardAcquirer,
  InquiryAnswer,
  MovementAsk,
} from "../card-acquirer.ts";
import type { Book, Entry } from "./book.ts";
import { type CardScenario, cardScenario } from "./card-scenarios.ts";

export type Wait = (seconds: number) => Promise<void>;

/** A connection that broke after the acquirer had done its work. */
class ConnectionDropped extends Error {
  override readonly name = "ConnectionDropped";
}

/**
 * The acquirer of the sandbox. It plays the scenarios of its table and keeps its own books: an authorisation, its
 * captures, refunds and its reversal are one line each.
 */
export function createSandboxAcquirer(book: Book, wait: Wait): CardAcquirer {
  async function authorise(ask: AuthoriseAsk): Promise<AcquirerAnswer> {
    const scenario = cardScenario(ask.amount);
    if (scenario.does === "beAway") return decline("downstream_error");
    if (scenario.does === "approveSlowly") await wait(scenario.seconds);
    const code = await decide(scenario, ask);
    const entry = await book.addOnce({
      kind: "authorisation",
      reference: ask.reference,
      belongsTo: ask.order,
      amount: ask.amount + ask.surcharge,
      facts: {
        code: OUTCOMES[code],
        currency: ask.currency,
        captured: String(ask.capture),
        ...(ask.card.cryptogram === undefined ? {} : { cryptogram: "present" }),
      },
    });
    if (scenario.does === "approveAndDrop") throw new ConnectionDropped("the connection broke");
    return answerOf(entry);
  }

  async function decide(scenario: CardScenario, ask: AuthoriseAsk): Promise<OutcomeName> {
    if (scenario.does === "approve" || scenario.does === "decline") return scenario.code;
    if (scenario.does !== "declineFirst") return "approved";
    const earlier = ask.order === null ? [] : await book.listBelongingTo(ask.order);
    return earlier.some((entry) => entry.kind === "authorisation") ? "approved" : scenario.code;
  }

  async function inquire(reference: string): Promise<InquiryAnswer> {
    const entry = await book.find("authorisation", reference);
    return entry === undefined ? { kind: "never_seen" } : answerOf(entry);
  }

  /** An authorisation that has not arrived yet is declined in advance: the line for its reference is taken. */
  async function reverse(reference: string): Promise<void> {
    const facts = { code: OUTCOMES.downstream_error, currency: "", captured: "false" };
    const entry = await book.addOnce({ kind: "authorisation", reference, belongsTo: null, amount: 0, facts });
    if (answerOf(entry).kind !== "approved") return;
    await book.addOnce({
      kind: "reversal",
      reference,
      belongsTo: reference,
      amount: entry.amount,
      facts: {},
    });
  }

  async function move(kind: "capture" | "refund", ask: MovementAsk): Promise<AcquirerAnswer> {
    const code = await decideMovement(kind, ask);
    const entry = await book.addOnce({
      kind,
      reference: ask.reference,
      belongsTo: ask.transaction,
      amount: ask.amount,
      facts: { code: OUTCOMES[code] },
    });
    return answerOf(entry);
  }

  async function decideMovement(kind: "capture" | "refund", ask: MovementAsk): Promise<OutcomeName> {
    const taken = await book.find("authorisation", ask.transaction);
    if (taken === undefined || answerOf(taken).kind !== "approved") return "invalid_transaction";
    if (await book.find("reversal", ask.transaction)) return "invalid_transaction";
    if (kind === "capture") return ask.amount <= taken.amount ? "approved" : "invalid_amount";
    const scenario = cardScenario(ask.amount);
    return scenario.does === "approve" || scenario.does === "decline" ? scenario.code : "approved";
  }

  return {
    authorise,
    inquire,
    reverse,
    capture: (ask) => move("capture", ask),
    refund: (ask) => move("refund", ask),
  };
}

function answerOf(entry: Entry): AcquirerAnswer {
  return answerWith(outcomeOf(entry.facts["code"] ?? ""));
}
