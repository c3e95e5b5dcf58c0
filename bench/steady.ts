import { setTimeout as pause } from "node:timers/promises";
import { queryReceiver } from "./deliveries/against-posts.ts";
import { verdict } from "./lines.ts";
import { startCaller } from "./peers/call.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { cpuBetween, type HostReading, readCpu, readHost } from "./stage/cpu.ts";
import { queryOne, startDatabaseServer } from "./stage/database.ts";
import { BENCH_KEY, startGatewayProgram } from "./stage/gateway.ts";
import { nextMessage, startProgram } from "./stage/program.ts";
import { acknowledged, failures, percentile, perSecond } from "./statistics.ts";

const PAYMENTS_A_SECOND = 100;
const P99_GOAL_MS = 300;
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 10;
/** Of each payment request: created, completed. */
const EVENTS_EACH = 2;
const ENDPOINT = "/shop";
const DELIVERED_WITHIN_MS = 60_000;

/** Whether whole payments go on for minutes, at a rate that does not wait for the gateway. */
export const steady: Question = {
  name: "steady",
  description: `${PAYMENTS_A_SECOND} whole payments a second for --seconds (request, token, frame, payment, read; webhooks beside them), begun whether or not earlier ones are done (goal: no error, p99 of all five calls under ${P99_GOAL_MS} ms, every webhook)`,
  answer: answerSteady,
};

async function answerSteady({ seconds, stage, report }: BenchOptions): Promise<Finding> {
  report("starting PostgreSQL, the gateway, an endpoint and the callers");
  const databaseUrl = await (await startDatabaseServer(stage)).newDatabase("ours");
  const ports = await startGatewayProgram(stage, databaseUrl, {});
  const receiver = startProgram(stage, "bench/deliveries/receiver.ts", {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const { port: receiverPort } = await nextMessage<{ port: number }>(receiver, 30_000);
  await subscribe(ports.port, `http://127.0.0.1:${receiverPort}${ENDPOINT}`);
  const caller = startCaller(stage);
  const payFor = (duration: number) =>
    caller.run({
      flow: "tidegate",
      work: "payment",
      ports,
      callers: CONNECTIONS,
      seconds: duration,
      rate: PAYMENTS_A_SECOND,
    });

  report(`warming up for ${WARM_UP_SECONDS} s`);
  await payFor(WARM_UP_SECONDS);
  await untilDelivered(databaseUrl);
  await queryReceiver(receiver, { timed: ENDPOINT });
  report(`${PAYMENTS_A_SECOND} payments a second for ${seconds} s`);
  const measured = { pid: ports.pid, databaseUrl };
  const before = await readCpu(measured);
  const hostBefore = readHost();
  const paid = await payFor(seconds);
  const hostAfter = readHost();
  await untilDelivered(databaseUrl);
  const used = cpuBetween(before, await readCpu(measured));
  const arrived = await queryReceiver(receiver, {});

  const p99 = percentile(paid, 0.99);
  const ofWebhooks = { seconds, latencies: arrived.latencies, answers: {} };
  const wanted = EVENTS_EACH * acknowledged(paid);
  const each = (milliseconds: number) => Math.round((milliseconds * 1_000) / acknowledged(paid));
  const met = failures(paid) === 0 && p99 < P99_GOAL_MS && arrived.count === wanted;
  return {
    lines: [
      `${acknowledged(paid)} payments in ${paid.seconds.toFixed(1)} s (${perSecond(paid).toFixed(1)} a second of ${PAYMENTS_A_SECOND}), ${failures(paid)} failed${paid.problem === undefined ? "" : ` (${paid.problem})`}`,
      `five calls: p50 ${percentile(paid, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${percentile(paid, 1).toFixed(0)} ms; goal ${P99_GOAL_MS} ms: ${verdict(p99 < P99_GOAL_MS)}`,
      `webhooks: ${arrived.count} of ${wanted} arrived, from the change p50 ${percentile(ofWebhooks, 0.5).toFixed(0)} ms, p99 ${percentile(ofWebhooks, 0.99).toFixed(0)} ms`,
      ...(used === undefined
        ? []
        : [
            `CPU µs per payment, server + PostgreSQL: ${each(used.program)} + ${each(used.database)}, with its webhooks`,
          ]),
      ...stolenLine(hostBefore, hostAfter),
    ],
    met,
  };
}

/** A virtual machine whose host is busy stands still for that time, and calls arrive all the same. */
function stolenLine(before: HostReading | undefined, after: HostReading | undefined): readonly string[] {
  if (before === undefined || after === undefined) return [];
  const share = (100 * (after.stolen - before.stolen)) / (after.all - before.all);
  return [`steal time, which the host of the machine took: ${share.toFixed(1)} % of the processors`];
}

async function subscribe(port: number, url: string): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/webhooks`, {
    method: "POST",
    headers: { "x-api-key": BENCH_KEY, "content-type": "application/json" },
    body: JSON.stringify({ event: "payment_requests", url }),
  });
  if (status !== 200) throw new Error(`the subscription was answered with ${status}`);
}

async function untilDelivered(databaseUrl: string): Promise<void> {
  const until = performance.now() + DELIVERED_WITHIN_MS;
  for (;;) {
    const { waiting } = await queryOne<{ waiting: number }>(
      databaseUrl,
      "select count(*)::int as waiting from deliveries where status = 'pending'",
    );
    if (waiting === 0 || performance.now() > until) return;
    await pause(200);
  }
}
