import type { Contender } from "./contender.ts";
import { describeCpu, describeRun, rateRatio, spread, verdict } from "./lines.ts";
import { type LoadTarget, loadOf, startGenerator } from "./load/drive.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { startDatabaseServer } from "./stage/database.ts";
import { startFloorProgram } from "./stage/floor.ts";
import { BENCH_KEY, startGatewayProgram } from "./stage/gateway.ts";
import { failures, together } from "./statistics.ts";
import { takeTurns } from "./turns.ts";

const GOAL = 0.8;
const CONNECTIONS = 32;

/** How many payment requests per second the gateway reads, relative to one bare read. */
export const reads: Question = {
  name: "reads",
  description: `GET /paymentrequests/{id} per second at ${CONNECTIONS} connections, against one bare read by primary key of as many bytes (goal: ${GOAL})`,
  answer: answerReads,
};

async function answerReads({ seconds, stage, report }: BenchOptions): Promise<Finding> {
  report("starting PostgreSQL, the floor and the gateway");
  const contenders = await startContenders(stage);
  const generator = startGenerator(stage);
  const runs = await takeTurns(contenders, { generator, seconds, warmUpAnswers: 30_000, report });
  const [floor, ours] = runs;
  if (floor === undefined || ours === undefined) throw new Error("a contender is missing");
  const ratio = rateRatio(ours, floor);
  return {
    lines: [
      ...runs.map(describeRun),
      `rate: ${ratio.toFixed(2)} of the floor (middle half of the slices: ${spread(ours, floor)}); goal ${GOAL}: ${verdict(ratio >= GOAL)}`,
      ...describeCpu(runs),
    ],
    met: ratio >= GOAL && runs.every(({ measured }) => failures(together(measured)) === 0),
  };
}

/** Floor first: both on one PostgreSQL server, each with its own database and process. */
async function startContenders(stage: AsyncDisposableStack): Promise<readonly Contender[]> {
  const server = await startDatabaseServer(stage);
  const oursUrl = await server.newDatabase("ours");
  const gateway = await startGatewayProgram(stage, oursUrl, {});
  const { id, bytes } = await createOne(gateway.port);
  const floorUrl = await server.newDatabase("floor");
  const floor = await startFloorProgram(stage, "bench/floor/bare-read.ts", floorUrl, {
    FLOOR_ROW_BYTES: String(bytes),
    FLOOR_ROW_ID: id,
  });
  return [
    contenderOf("floor", floor, floorUrl, `/rows/${id}`),
    contenderOf("ours", gateway, oursUrl, `/paymentrequests/${id}`),
  ];
}

function contenderOf(
  name: string,
  { pid, port }: { readonly pid: number; readonly port: number },
  databaseUrl: string,
  path: string,
): Contender {
  const headers = { "X-Api-Key": BENCH_KEY };
  const target: LoadTarget = { method: "GET", port, path, headers, body: "", connections: CONNECTIONS };
  return { name, pid, databaseUrl, load: loadOf(target), countRows: async () => ({}) };
}

/** A payment request, and how long the answer that shows it is. */
async function createOne(port: number): Promise<{ readonly id: string; readonly bytes: number }> {
  const headers = { "x-api-key": BENCH_KEY, "content-type": "application/json" };
  const created = await fetch(`http://127.0.0.1:${port}/paymentrequests`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      reference: "order-1001",
      payment: { amount: 3000, currencyCode: "AUD", description: "Two tickets" },
      paymentMethods: ["card"],
      transactionRequest: {},
    }),
  });
  if (created.status !== 200) throw new Error(`the create was answered with ${created.status}`);
  const { id } = (await created.json()) as { id: string };
  const read = await fetch(`http://127.0.0.1:${port}/paymentrequests/${id}`, { headers });
  return { id, bytes: (await read.text()).length };
}
