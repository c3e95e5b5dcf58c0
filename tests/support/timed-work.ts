import { type Instant, instant, later } from "../../src/kernel/time.ts";
import type { Context } from "../../src/platform/context.ts";
import type { Chore, JobHandler } from "../../src/platform/jobs/job.ts";
import { startWorker } from "../../src/platform/jobs/worker.ts";
import type { TestDatabase } from "./database.ts";
import { inContext } from "./operator.ts";

/** The start of these workers' clocks. */
export const NOW = instant(Date.UTC(2030, 0, 1));

type Row = { readonly subject_id: string; readonly due: number; readonly tries: number };

export const jobsIn = (database: TestDatabase) =>
  database.rows<Row>(
    "select subject_id, (extract(epoch from due_at) * 1000)::float8 as due, tries from jobs order by id",
  );

/** Runs work beside a worker, on a clock that only the test moves, and deletes all jobs afterwards. */
export async function withWorker(
  database: TestDatabase,
  handlers: Readonly<Record<string, JobHandler>>,
  work: (ctx: Context, move: (ms: number) => void, wake: () => void) => Promise<void>,
  chores: readonly Chore[] = [],
): Promise<void> {
  let now: Instant = NOW;
  await inContext(
    database,
    async (ctx) => {
      const specs = Object.entries(handlers).map(([kind, run]) => ({ kind, run }));
      const worker = startWorker(ctx, specs, chores);
      try {
        await work(
          ctx,
          (ms) => {
            now = later(now, ms);
          },
          worker.wake,
        );
      } finally {
        await worker.stop();
        await database.rows("delete from jobs");
      }
    },
    { now: () => now },
  );
}

export const job = (subjectId: string, kind = "do", merchantId = "mer_a") => ({
  kind,
  merchantId,
  subjectId,
});

/** Inserts `count` due jobs in one statement, so that no worker sees only some of them. */
export const insertMany = (database: TestDatabase, kind: string, count: number) =>
  database.rows(
    `insert into jobs (kind, merchant_id, subject_id, due_at)
     select $1, 'mer_a', $1 || '-' || n, $2 from generate_series(1, $3) n`,
    [kind, new Date(NOW), count],
  );
