import { verdict } from "./lines.ts";
import { startGenerator } from "./load/drive.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { startDatabaseServer } from "./stage/database.ts";
import { BENCH_KEY, startGatewayProgram } from "./stage/gateway.ts";
import { acknowledged, type Load, percentile, perSecond, together } from "./statistics.ts";

const GOAL = 0.8;
const CONNECTIONS = 32;
/** Twice as many callers as the process admits as shipped, so that its limit decides and not the callers. */
const CALLERS = 1024;

const BODY = JSON.stringify({
  reference: "order-1001",
  payment: { amount: 3000, currencyCode: "AUD", description: "Two tickets" },
  paymentMethods: ["card"],
  transactionRequest: {},
});

/** Whether the gateway does its work when twice as much arrives as it can do. */
export const overload: Question = {
  name: "overload",
  description: `payment requests created per second when twice as many arrive as the gateway can create, against its peak (goal: ${GOAL}); the rest must be answered with 503`,
  answer: answerOverload,
};

async function answerOverload({ seconds, stage, report }: BenchOptions): Promise<Finding> {
  report("starting PostgreSQL and the gateway");
  const databaseUrl = await (await startDatabaseServer(stage)).newDatabase("ours");
  const { port } = await startGatewayProgram(stage, databaseUrl, {});
  const generator = startGenerator(stage);
  const target = { port, path: "/paymentrequests", headers: { "X-Api-Key": BENCH_KEY }, body: BODY };
  const peak = (duration: number) =>
    generator.run({ ...target, connections: CONNECTIONS, seconds: duration });
  report("warming up");
  for (let turn = 0; turn < 4; turn += 1) await peak(1);
  const [peaks, overs]: [Load[], Load[]] = [[], []];
  // Long slices: requests in flight at the end of one are waited for, and that time counts.
  const turns = Math.max(2, Math.round(seconds / 10));
  for (let turn = 0; turn < turns; turn += 1) {
    if (turn % 5 === 0) report(`turn ${turn + 1} of ${turns}`);
    const load = await peak(seconds / turns / 2);
    peaks.push(load);
    const rate = 2 * perSecond(load);
    overs.push(await generator.run({ ...target, connections: CALLERS, seconds: seconds / turns / 2, rate }));
  }
  const [atPeak, over] = [together(peaks), together(overs)];
  const ratio = perSecond(over) / perSecond(atPeak);
  const refused = over.answers[503] ?? 0;
  const others = Object.entries(over.answers).filter(([status]) => status !== "200" && status !== "503");
  const ms = (load: Load, share: number) => `${percentile(load, share).toFixed(0)} ms`;
  return {
    lines: [
      `peak               ${Math.round(perSecond(atPeak))} created/s   p50 ${ms(atPeak, 0.5)}   p99 ${ms(atPeak, 0.99)}`,
      `at twice the peak  ${Math.round(perSecond(over))} created/s   p50 ${ms(over, 0.5)}   p99 ${ms(over, 0.99)}   503: ${refused}   other: ${others.length}`,
      `goodput: ${ratio.toFixed(2)} of the peak; goal ${GOAL}: ${verdict(ratio >= GOAL)}`,
      `acknowledged ${acknowledged(over)}, refused ${refused}; peaks and overloads took turns`,
    ],
    met: ratio >= GOAL && others.length === 0 && refused > 0,
  };
}
