import { type Id, type IdNoun, parseId } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import type { Context } from "../context.ts";
import type { ClockColumn, Job } from "./queries.ts";

/** A moment on the merchant's clock, which may move while the job runs. A plain moment is real time. */
export type OnMerchantsClock = { readonly onMerchantsClock: Instant; readonly clock: ClockColumn };

/**
 * The job could not do its work, for instance because a bank's answer is not known. It runs again, later each time, and
 * needs attention after ATTENTION_AFTER runs. `retry` says in one line what an operator should know.
 */
export type Retry = {
  readonly retry: string;
  /** The longest pause before the next run, for a partner that wants repeats at a steady pace. */
  readonly withinMs?: number | undefined;
};

/** When to run the job again; undefined when it is done. */
export type NextRun = Instant | OnMerchantsClock | Retry | undefined;

/** Runs a job. It looks at the state first, because a job may run twice. */
export type JobHandler = (ctx: Context, job: Job) => Promise<NextRun>;

/** One kind of timed work. Features declare theirs in `jobs.ts`, as they declare their routes. */
export type JobSpec = { readonly kind: string; readonly run: JobHandler };

type SubjectJob<Noun extends IdNoun> = {
  readonly kind: string;
  /** The noun whose id the job carries. */
  readonly subject: Noun;
  readonly run: (ctx: Context, merchantId: Id<"merchant">, id: Id<Noun>) => Promise<NextRun>;
};

/** A job about one record. A job whose subject can't be an id is done. */
export function subjectJob<Noun extends IdNoun>({ kind, subject, run }: SubjectJob<Noun>): JobSpec {
  return {
    kind,
    run: async (ctx, job) => {
      const id = parseId(subject, job.subjectId);
      return id === undefined ? undefined : run(ctx, job.merchantId as Id<"merchant">, id);
    },
  };
}

/**
 * Recurring work that no record asks for, such as deleting old rows. Every node runs it about every `everyMs`, so it
 * must tolerate other nodes doing the same. It works in portions and returns `more` to run again soon.
 */
export type Chore = {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (ctx: Context) => Promise<"done" | "more">;
};
