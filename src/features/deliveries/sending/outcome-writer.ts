import type { Context } from "../../../platform/context.ts";
import type { Outcome } from "../delivery.ts";
import { recordOutcomes } from "./queries.ts";

const AT_ONCE = 500;
/** The pause after a write, so that the outcomes of these milliseconds share the next one. */
const GAP_MS = 20;
const RETRY_AFTER_MS = 250;
/** A stopping process waits no longer for the database; events without a written outcome are sent again. */
const CLOSE_WITHIN_MS = 5_000;

export type OutcomeWriter = {
  readonly add: (outcome: Outcome) => void;
  /** Resolves when every outcome is written, or the time for it is over. */
  readonly close: () => Promise<void>;
};

/**
 * Writes outcomes in batches: each batch has the outcomes that arrived since the last write began. While the database is
 * unavailable they stay in memory; if the process dies before the write, the events are sent again.
 */
export function createOutcomeWriter(ctx: Context, onWritten: (outcome: Outcome) => void): OutcomeWriter {
  let waiting: Outcome[] = [];
  let writing: Promise<void> | undefined;
  let isOver = false;

  async function write(): Promise<void> {
    while (waiting.length > 0 && !isOver) {
      const batch = waiting.slice(0, AT_ONCE);
      try {
        const left = new Set(await recordOutcomes(ctx.db, batch));
        // Behind the others: a server that is away delays only its own merchants' outcomes.
        waiting = [...waiting.slice(batch.length), ...left];
        for (const outcome of batch) if (!left.has(outcome)) onWritten(outcome);
        if (left.size > 0) await pause(RETRY_AFTER_MS);
        else if (waiting.length < AT_ONCE) await pause(GAP_MS);
      } catch (error) {
        ctx.log.warn({ error }, "webhook delivery outcomes not written yet: the database is unavailable");
        await pause(RETRY_AFTER_MS);
      }
    }
    writing = undefined;
  }

  return {
    add: (outcome) => {
      waiting.push(outcome);
      writing ??= write();
    },
    close: async () => {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS).unref());
      await Promise.race([writing, timeout]);
      isOver = true;
      await writing;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
