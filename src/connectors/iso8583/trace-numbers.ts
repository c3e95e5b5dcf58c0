import type { Instant } from "../../kernel/time.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Terminal } from "./messages.ts";
import { takeNumbers } from "./queries.ts";

/** The terminal has used all numbers of its day: nothing new can be sent. */
export class TraceNumbersUsedUp extends Error {
  override readonly name = "TraceNumbersUsedUp";
}

/** Numbers that a process takes at a time, so that most messages need no round trip for theirs. */
const BLOCK = 20;
/** A block is forgotten after this time. Otherwise an idle process could use numbers that came round again. */
const BLOCK_LIFE_MS = 60_000;

/**
 * Trace numbers of a terminal, each once on a day across all nodes and restarts: blocks come from the database. Throws
 * `TraceNumbersUsedUp` when the terminal has used all numbers of its day.
 */
export function createTraceNumbers(db: Tx, terminal: Terminal, now: () => Instant): () => Promise<number> {
  let block = { next: 1, last: 0, until: 0 };
  let taking: Promise<void> | undefined;

  async function take(): Promise<void> {
    const last = await takeNumbers(db, terminal, BLOCK, now());
    if (last === undefined)
      throw new TraceNumbersUsedUp(`terminal ${terminal.terminalId} has no trace number left today`);
    block = { next: last - BLOCK + 1, last, until: performance.now() + BLOCK_LIFE_MS };
  }

  return async () => {
    while (block.next > block.last || performance.now() > block.until) {
      taking ??= take().finally(() => {
        taking = undefined;
      });
      await taking;
    }
    const number = block.next;
    block = { ...block, next: number + 1 };
    return number;
  };
}
