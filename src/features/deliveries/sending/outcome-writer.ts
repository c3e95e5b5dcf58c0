import type { Context } from "../../../platform/context.ts";
import type { Outcome } from "../delivery.ts";
import { recordOutcomes } from "./queries.ts";

const AT_ONCE = 500;
const RETRY_AFTER_MS = 250;
/** A stopping process waits no longer for the database; events without a written outcome are sent again. */
const CLOSE_WITHIN_MS = 5_000;

export type OutcomeWriter = {
  readonly add: (outcome: Outcome) => void;
  /** Resolves when every outcome is written, or the time for it is over. */
  readonly close: () => Promise<void>;
};

/**
 * Writes outcomes in batches: each batch has the outcomes that arrived during the last write. While the database is
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
        await recordOutcomes(ctx.db, batch);
        waiting = waiting.slice(batch.length);
        for (const outcome of batch) onWritten(outcome);
      } catch (error) {
        ctx.log.warn({ error }, "webhook delivery outcomes not written yet: the database is unavailable");
        await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
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
