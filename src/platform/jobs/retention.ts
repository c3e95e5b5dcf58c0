import { type Instant, later } from "../../kernel/time.ts";
import { at, type Tx } from "../db/database.ts";
import type { Chore } from "./job.ts";

/** Which rows a portion may delete: the oldest of those in this range. */
export type Portion = {
  /** Null: from the oldest row on. */
  readonly from: Instant | null;
  readonly before: Instant;
  readonly atMost: number;
};

/** How many rows a portion found, and the time of the last one. */
export type Deleted = { readonly count: number; readonly upTo: Instant | null };

type Retention = {
  readonly name: string;
  readonly everyMs: number;
  readonly keptMs: number;
  readonly atOnce: number;
  readonly deletePortion: (tx: Tx, portion: Portion) => Promise<Deleted>;
};

/**
 * Deletes rows of a table once they are older than `keptMs`, a bounded portion at a time. A portion starts where the last
 * one ended: what was deleted stays in the index until the next vacuum, and is not read again.
 */
export function retentionChore({ name, everyMs, keptMs, atOnce, deletePortion }: Retention): Chore {
  let from: Instant | null = null;
  return {
    name,
    everyMs,
    run: async (ctx) => {
      const before = later(ctx.now(), -keptMs);
      const { count, upTo } = await ctx.db.transaction((tx) =>
        deletePortion(tx, { from, before, atMost: atOnce }),
      );
      const isMore = count >= atOnce;
      from = isMore ? upTo : null;
      return isMore ? "more" : "done";
    },
  };
}

/** For the parameter of a range's start. */
export function startOf({ from }: Portion): string {
  return from === null ? "-infinity" : at(from);
}
