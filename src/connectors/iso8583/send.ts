import type { AcquirerAnswer } from "../ports/card-acquirer.ts";
import type { Account } from "./account.ts";
import type { IsoMessage } from "./dialect.ts";
import { readAnswer } from "./host-answer.ts";
import type { Answered, JournalEntry } from "./journal.ts";
import type { ExchangeOptions } from "./link.ts";
import { markNotSent, recordAnswer } from "./queries.ts";

/** Sends a message that is on record, and records what became of it. */
export async function send(
  account: Account,
  entry: JournalEntry,
  message: IsoMessage,
  options: ExchangeOptions,
): Promise<Answered | Extract<AcquirerAnswer, { kind: "not_received" | "unknown" }>> {
  const { db, owner, log, now } = account;
  const exchange = await account.link().then(
    (link) => link.exchange(message, options),
    (error: unknown) => ({ kind: "not_sent", reason: String(error) }) as const,
  );
  if (exchange.kind === "not_sent") {
    await markNotSent(db, owner, entry);
    return { kind: "not_received", reason: exchange.reason };
  }
  const answer = exchange.kind === "answered" ? readAnswer(exchange.answer) : undefined;
  if (answer === undefined) {
    const reason = exchange.kind === "unanswered" ? exchange.reason : "the answer does not say what happened";
    const about = { merchantId: owner.merchantId, subjectId: entry.reference };
    log.warn(about, `the outcome at the acquirer is not known: ${message.type} ${reason}`);
    return { kind: "unknown" };
  }
  await recordAnswer(db, owner, { ...entry, answer }, now());
  return { sends: entry.sends, answer };
}

export function isAnswer(outcome: Answered | AcquirerAnswer): outcome is Answered {
  return !("kind" in outcome);
}
