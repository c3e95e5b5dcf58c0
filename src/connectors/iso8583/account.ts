import type { Id } from "../../kernel/ids.ts";
import type { Cents } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";
import type { Database, Tx } from "../../platform/db/database.ts";
import type { Log } from "../../platform/log/log.ts";
import type { OpenAccount } from "../ports/acquirer-connector.ts";
import { openAccountDialect } from "./account-dialect.ts";
import { describeMessage } from "./describe-message.ts";
import type { IsoMessage } from "./dialect.ts";
import { isApproved, readAnswer } from "./host-answer.ts";
import { answerType } from "./in-flight.ts";
import type { HostAnswer, JournalEntry } from "./journal.ts";
import { createLink, type Link, type LinkState } from "./link.ts";
import type { Terminal } from "./messages.ts";
import { findByTrace, type Owner, recordAnswer, recordLate, reopenReversal } from "./queries.ts";
import type { Iso8583Settings } from "./settings.ts";
import { type Trace, traceOf } from "./trace.ts";
import { createTraceNumbers } from "./trace-numbers.ts";

/** An approval of a request whose reversal the host had confirmed before. */
type LateAnswer = { readonly reference: string; readonly amount: Cents };

export type Parts = {
  readonly db: Database;
  readonly log: Log;
  readonly now: () => Instant;
  /** Records the approval, and has the gateway call `reverse` for its reference until that is confirmed. */
  readonly planReversal: (tx: Tx, merchantId: Id<"merchant">, late: LateAnswer) => Promise<void>;
};

/** An account in use: its settings, its link, and what every message needs. */
export type Account = Parts & {
  readonly owner: Owner;
  readonly settings: Iso8583Settings;
  readonly terminal: Terminal;
  readonly nextTrace: () => Promise<Trace>;
  /** The standing link of this process. */
  readonly link: () => Promise<Link>;
  readonly isUp: () => boolean;
  /** A link of its own, for a test. The caller closes it. Throws `DialectUnusable`, as `link` does. */
  readonly separateLink: () => Promise<Link>;
  readonly close: () => Promise<void>;
};

/** The operator's dialect file is missing, wrong, or too narrow for the account's settings. */
export class DialectUnusable extends Error {
  override readonly name = "DialectUnusable";
}

export function createAccount(
  parts: Parts,
  { id, merchantId, zone }: OpenAccount,
  settings: Iso8583Settings,
): Account {
  const { db, log, now } = parts;
  const owner: Owner = { merchantId, accountId: id };
  const about = { merchantId, subjectId: id };
  const recording = { ...parts, owner };
  const nextNumber = createTraceNumbers(db, settings, now);
  const nextTrace = async () => {
    const local = await zone();
    return traceOf(await nextNumber(), now(), local);
  };
  let standing: Promise<Link> | undefined;
  let isUp = false;
  let lastReason: string | undefined;

  /** A link that stays down for the same reason is reported once. */
  function reportState(state: LinkState, reason: string): void {
    isUp = state === "up";
    if (state === "up") log.info(about, "acquirer link is up");
    if (state === "closed" && reason !== lastReason) log.warn(about, `acquirer link is down: ${reason}`);
    if (state !== "opening") lastReason = state === "up" ? undefined : reason;
  }

  function receiveUnmatched(message: IsoMessage): void {
    recordUnmatched(recording, message).catch((error: unknown) =>
      log.error({ ...about, error }, "an acquirer's late answer is not recorded"),
    );
  }

  async function openLink(onState: (state: LinkState, reason: string) => void): Promise<Link> {
    const opened = await openAccountDialect(settings);
    if ("problems" in opened) throw new DialectUnusable(opened.problems.join("; "));
    return createLink({
      settings,
      dialect: opened.dialect,
      nextTrace,
      events: {
        onState,
        onUnmatched: receiveUnmatched,
        onRefused: (message) =>
          log.warn(about, `acquirer asked for what the gateway does not do: ${describeMessage(message)}`),
        onUnreadable: (reason) => log.warn(about, `acquirer sent bytes that are no message: ${reason}`),
      },
    });
  }

  return {
    ...parts,
    owner,
    settings,
    terminal: settings,
    nextTrace,
    link: () => {
      standing ??= openLink(reportState);
      standing.catch(() => {
        // A dialect file that was fixed counts from the next message on.
        standing = undefined;
      });
      return standing;
    },
    isUp: () => isUp,
    separateLink: () => openLink(() => {}),
    close: async () => {
      const link = await standing?.catch(() => undefined);
      await link?.close();
      isUp = false;
    },
  };
}

type Recording = Pick<Parts, "db" | "log" | "now" | "planReversal"> & { readonly owner: Owner };

/**
 * An answer that nothing in this process waits for. The answer of a reversal or completion counts whenever it comes. An
 * approval that comes too late is reversed: the gateway has begun that already, and a reversal that the host confirmed
 * before it saw the request is sent again.
 */
async function recordUnmatched(recording: Recording, message: IsoMessage): Promise<void> {
  const { db, log, now, owner } = recording;
  const about = { merchantId: owner.merchantId, subjectId: owner.accountId };
  const { 11: stan = "", 7: transmitted = "" } = message.fields;
  const entry = await findByTrace(db, owner, stan, transmitted);
  const answer = readAnswer(message);
  // A number alone proves nothing: a host that mixes them up must not confirm a reversal by the answer to a payment.
  const isItsAnswer = entry !== undefined && message.type === answerType(entry.type);
  if (!isItsAnswer || answer === undefined || entry.answer !== null) {
    log.warn(about, `an acquirer's answer matches no open message: ${describeMessage(message)}`);
    return;
  }
  if (entry.kind !== "request") {
    await recordAnswer(db, owner, { ...entry, answer }, now());
    return;
  }
  log.warn(about, `an acquirer's answer came too late: ${describeMessage(message)}`);
  await db.transaction(async (tx) => {
    const isNew = await recordLate(tx, owner, entry, answer.responseCode);
    if (isNew && isApproved({ ...entry, answer })) await reverseOnceMore(recording, tx, entry, answer);
  });
}

/**
 * The host approved a request after it had confirmed the reversal. If it had not seen the request then, the reversal is
 * sent again.
 */
export async function reverseOnceMore(
  { owner, planReversal }: Pick<Recording, "owner" | "planReversal">,
  tx: Tx,
  { reference, amount: requested }: JournalEntry,
  { approvedAmount }: HostAnswer,
): Promise<void> {
  const amount = approvedAmount ?? requested;
  if (await reopenReversal(tx, owner, reference))
    await planReversal(tx, owner.merchantId, { reference, amount });
}
