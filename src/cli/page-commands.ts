import { listReports, MOST_KINDS } from "../features/page-reports/index.ts";
import { verifyPage } from "../hosted-page/index.ts";
import { toIso } from "../kernel/time.ts";
import { type Command, CommandProblem, UsageProblem } from "./command.ts";

export const PAGE_COMMANDS: readonly Command[] = [
  {
    name: "pages verify",
    reads: true,
    about:
      "Fetch a payment page from outside, with its headers and scripts, and compare them with this release. Exit code 1 if anything differs.",
    positional: "url",
    options: {},
    examples: ["pages verify http://localhost:4001/pay/…"],
    runAlone: async (args) => {
      const url = URL.parse(args.positionals[0] ?? "");
      if (url === null || !/^https?:$/.test(url.protocol))
        throw new UsageProblem("the address must be an http or https URL of a payment page");
      const verified = await verifyPage(url.href).catch((error: unknown) => {
        throw new CommandProblem(`the page can't be fetched: ${(error as Error).message}`);
      });
      const { scripts, problems } = verified;
      const lines =
        problems.length === 0
          ? [`The page and its ${scripts.length} scripts are those of this release.`]
          : problems.map((problem) => `Differs: ${problem}.`);
      return { json: { ok: problems.length === 0, ...verified }, lines, failed: problems.length > 0 };
    },
  },
  {
    name: "pages reports",
    reads: true,
    about:
      "Show what browsers blocked on payment pages within 30 days, by kind. Extensions of browsers cause most of it.",
    options: {},
    examples: ["pages reports", "pages reports --json"],
    run: async (ctx) => {
      const reports = await listReports(ctx.db, MOST_KINDS);
      const lines = reports.map(({ page, directive, blocked, source, reports: count, lastAt }) =>
        [
          toIso(lastAt),
          String(count).padStart(6),
          page,
          directive,
          `blocked ${blocked}`,
          `by ${source}`,
        ].join("  "),
      );
      return {
        json: {
          reports: reports.map(({ firstAt, lastAt, ...report }) => ({
            ...report,
            firstDateTime: toIso(firstAt),
            lastDateTime: toIso(lastAt),
          })),
        },
        lines: lines.length === 0 ? ["No browser has reported anything."] : lines,
      };
    },
  },
];
