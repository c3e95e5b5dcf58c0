import { toIso } from "../kernel/time.ts";
import { listJobsInNeed, retryJobsNow } from "../platform/jobs/health/queries.ts";
import { type Command, CommandProblem, UsageProblem } from "./command.ts";
import { firstRows } from "./first-rows.ts";

const AT_MOST = 1_000;

export const JOB_COMMANDS: readonly Command[] = [
  {
    name: "jobs list",
    reads: true,
    about:
      "List jobs that need attention, the first 1000: they failed again and again. They go on running every 15 minutes.",
    options: {},
    examples: ["jobs list", "jobs list --json"],
    run: async (ctx) => {
      const found = firstRows(await listJobsInNeed(ctx.db, AT_MOST + 1), AT_MOST);
      const jobs = found.rows.map((job) => ({
        jobId: job.id,
        kind: job.kind,
        merchantId: job.merchantId,
        subjectId: job.subjectId,
        runs: job.tries,
        problem: job.problem,
        sinceDateTime: toIso(job.since),
        nextRunDateTime: toIso(job.dueAt),
      }));
      const lines = jobs.map(
        (job) =>
          `${job.jobId}  ${job.kind}  ${job.merchantId}  ${job.subjectId}  ${job.runs} runs  ${job.problem}`,
      );
      return {
        json: { jobs, complete: found.isComplete },
        lines: lines.length === 0 ? ["No job needs attention."] : lines,
        warnings: found.warnings,
      };
    },
  },
  {
    name: "jobs retry",
    about: "Run a job that needs attention now, or all of them.",
    positional: "jobId",
    positionalOptional: true,
    options: {},
    examples: ["jobs retry", "jobs retry 4711"],
    run: async (ctx, { positionals: [text] }) => {
      if (text !== undefined && !/^\d{1,15}$/.test(text)) throw new UsageProblem("the job's id is a number");
      const count = await retryJobsNow(ctx.db, ctx.now, text === undefined ? undefined : Number(text));
      if (text !== undefined && count === 0)
        throw new CommandProblem(`no job ${text} needs attention, or it runs now or within a minute`);
      return { json: { retried: count }, lines: [`${count} jobs run now.`] };
    },
  },
];
