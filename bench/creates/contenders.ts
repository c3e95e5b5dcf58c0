import type { Contender } from "../contender.ts";
import { type LoadTarget, loadOf } from "../load/drive.ts";
import { query, queryOne, startDatabaseServer } from "../stage/database.ts";
import { startFloorProgram } from "../stage/floor.ts";
import { BENCH_KEY, startGatewayProgram } from "../stage/gateway.ts";

export const CREATE_CONNECTIONS = 32;

/** The README's first request, with a reference and a description, as a shop sends them. */
const BODY = JSON.stringify({
  reference: "order-1001",
  payment: { amount: 3000, currencyCode: "AUD", description: "Two tickets" },
  paymentMethods: ["card"],
  transactionRequest: {},
});

/** Floor first: all on one PostgreSQL server, each with its own database and process. */
export async function startContenders(stage: AsyncDisposableStack): Promise<readonly Contender[]> {
  const server = await startDatabaseServer(stage);
  const ours = await startOurs(stage, await server.newDatabase("ours"), "ours", {});
  const silent = await startOurs(stage, await server.newDatabase("ours_silent"), "ours, log silent", {
    TIDEGATE_LOG_LEVEL: "silent",
  });
  const rowBytes = await bytesOfOneCreate(ours.target, ours.contender.databaseUrl);
  const floor = await startFloor(stage, await server.newDatabase("floor"), rowBytes);
  return [floor, ours.contender, silent.contender];
}

async function startOurs(
  stage: AsyncDisposableStack,
  databaseUrl: string,
  name: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly contender: Contender; readonly target: LoadTarget }> {
  const { pid, port } = await startGatewayProgram(stage, databaseUrl, environment);
  const target = targetAt(port, "/paymentrequests");
  const contender: Contender = {
    name,
    pid,
    databaseUrl,
    load: loadOf(target),
    countRows: () =>
      queryOne(
        databaseUrl,
        `select (select count(*)::int from payment_requests) as payment_requests,
           (select count(*)::int from events where event = 'payment_requests') as events,
           (select count(*)::int from jobs where kind = 'payment_request_expire') as jobs`,
      ),
  };
  return { contender, target };
}

function targetAt(port: number, path: string): LoadTarget {
  const headers = { "X-Api-Key": BENCH_KEY };
  return { port, path, headers, body: BODY, connections: CREATE_CONNECTIONS };
}

/** Creates one payment request and measures its row and its event's body. Then deletes it. */
async function bytesOfOneCreate(target: LoadTarget, databaseUrl: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${target.port}${target.path}`, {
    method: "POST",
    headers: { ...target.headers, "content-type": "application/json" },
    body: target.body,
  });
  if (response.status !== 200) throw new Error(`the first create was answered with ${response.status}`);
  const { bytes } = await queryOne<{ bytes: number }>(
    databaseUrl,
    `select pg_column_size(request.*) + octet_length(body) as bytes
     from payment_requests request join events on resource_id = request.id`,
  );
  await query(databaseUrl, "delete from payment_requests; delete from events; delete from jobs");
  return bytes;
}

async function startFloor(
  stage: AsyncDisposableStack,
  databaseUrl: string,
  rowBytes: number,
): Promise<Contender> {
  const { pid, port } = await startFloorProgram(stage, "bench/floor/bare-insert.ts", databaseUrl, {
    FLOOR_ROW_BYTES: String(rowBytes),
  });
  return {
    name: "floor",
    pid,
    databaseUrl,
    load: loadOf(targetAt(port, "/rows")),
    countRows: () => queryOne(databaseUrl, "select count(*)::int as rows from rows"),
  };
}
