import type { Context } from "../../../platform/context.ts";
import type { Outcome } from "../delivery.ts";
import { recordOutcomes } from "./queries.ts";

const AT_ONCE = 500;
const AGAIN_AFTER_MS = 250;
/** A process that ends does not wait longer for a database that is away; what it could not write is sent again. */
const LAST_MS = 5_000;

export type OutcomeWriter = {
  readonly add: (outcome: Outcome) => void;
  /** Ends the book: gives when everything is written down, or can't be in time. */
  readonly close: () => Promise<void>;
};

/**
 * Writes outcomes down, as many at once as have come while the last ones were being written. While the database is away
 * they are kept and written when it is back; should the process die before, the events are sent again.
 */
export function createOutcomeWriter(ctx: Context, onWritten: (outcome: Outcome) => void): OutcomeWriter {
  let waiting: Outcome[] = [];
  let writing: Promise<void> | undefined;
  let over = false;

  async function write(): Promise<void> {
    while (waiting.length > 0 && !over) {
      const portion = waiting.slice(0, AT_ONCE);
      try {
        await recordOutcomes(ctx.db, portion);
        waiting = waiting.slice(portion.length);
        for (const outcome of portion) onWritten(outcome);
      } catch (error) {
        ctx.log.warn({ error }, "outcomes of deliveries wait for the database");
        await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
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
      const late = new Promise<void>((resolve) => setTimeout(resolve, LAST_MS).unref());
      await Promise.race([writing, late]);
      over = true;
      await writing;
    },
  };
}
