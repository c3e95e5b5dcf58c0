import { verdict } from "./lines.ts";
import { startGenerator } from "./load/drive.ts";
import { type Kinds, prepareAllKinds, reportKinds } from "./overload/all-kinds.ts";
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
  description: `payment requests created per second when twice as many arrive as the gateway can create, against its peak (goal: ${GOAL}); the rest must be answered with 503, and payments that arrive beside them before creates before lists`,
  answer: answerOverload,
};

async function answerOverload({ seconds, stage, report }: BenchOptions): Promise<Finding> {
  report("starting PostgreSQL and the gateway");
  const databaseUrl = await (await startDatabaseServer(stage)).newDatabase("ours");
  const gateway = await startGatewayProgram(stage, databaseUrl, {});
  const generator = startGenerator(stage);
  const headers = { "X-Api-Key": BENCH_KEY };
  const target = { port: gateway.port, path: "/paymentrequests", headers, body: BODY };
  const peak = (duration: number) =>
    generator.run({ ...target, connections: CONNECTIONS, seconds: duration });
  report("warming up");
  const warmUp: Load[] = [];
  for (let turn = 0; turn < 4; turn += 1) warmUp.push(await peak(1));
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
  const creates = { generator, target: { ...target, connections: CALLERS } };
  const kinds = await prepareAllKinds({ stage, gateway, databaseUrl, creates, headers });
  const mixed = await kinds.run(2 * perSecond(atPeak), seconds / 2, report);
  const { lines, met } = reportKinds(mixed);
  const written = audit(mixed, [...warmUp, ...peaks, ...overs], await kinds.countRows());
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
      ...lines,
      written.line,
    ],
    met: ratio >= GOAL && others.length === 0 && refused > 0 && met && written.isEqual,
  };
}

/** A refusal writes nothing: there are as many rows as calls that were answered with 200. */
function audit(
  { payments, creates }: Kinds,
  earlier: readonly Load[],
  rows: { readonly payments: number; readonly requests: number },
): { readonly line: string; readonly isEqual: boolean } {
  const [paid, created] = [acknowledged(payments), acknowledged(together([...earlier, creates]))];
  const isEqual = rows.payments === paid && rows.requests === created;
  return {
    line: `acknowledged in all: ${created} requests, ${paid} payments; in the tables ${rows.requests} and ${rows.payments}: ${isEqual ? "equal" : "NOT EQUAL"}`,
    isEqual,
  };
}
