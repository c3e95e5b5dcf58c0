import type { Context } from "../../src/platform/context.ts";
import type { TestDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";

const SUBJECT = "seen_by_test";

/** Watches a gateway in this process, whose context it has to see. */
export function watchChanges() {
  let polls = 0;
  return {
    watch: (ctx: Context): Context => {
      ctx.cacheInvalidation.onChange(SUBJECT, () => {
        polls += 1;
      });
      return ctx;
    },
    /** Waits until the gateway has polled for every change that was made before. */
    seen: async (database: TestDatabase): Promise<void> => {
      const before = polls;
      await database.rows(
        `insert into cache_versions (subject, version) values ($1, 1)
         on conflict (subject) do update set version = cache_versions.version + 1`,
        [SUBJECT],
      );
      await eventually("the gateway has polled for changes", async () => polls > before);
      // What it forgets, it forgets in the same turn.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
