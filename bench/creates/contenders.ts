import { SETTINGS } from "../../src/platform/config/settings.ts";
import type { LoadOrder } from "../load/generator.ts";
import { query, queryOne, startDatabaseServer } from "../stage/database.ts";
import { BENCH_KEY, startGatewayProgram } from "../stage/gateway.ts";
import { nextMessage, startProgram } from "../stage/program.ts";

export type Contender = {
  readonly name: "floor" | "ours" | "ours, log silent";
  readonly target: Omit<LoadOrder, "connections" | "seconds">;
  readonly pid: number;
  readonly databaseUrl: string;
  /** How many rows of each kind there are beyond what was there before the first load. */
  readonly countRows: () => Promise<Readonly<Record<string, number>>>;
};

/** The README's first request, with the reference and the description that a shop would give. */
const BODY = JSON.stringify({
  reference: "order-1001",
  payment: { amount: 3000, currencyCode: "AUD", description: "Two tickets" },
  paymentMethods: ["card"],
  transactionRequest: {},
});

/** Floor first: all on one PostgreSQL server, each with a database and a process of its own. */
export async function startContenders(stage: AsyncDisposableStack): Promise<readonly Contender[]> {
  const server = await startDatabaseServer(stage);
  const ours = await startOurs(stage, await server.newDatabase("ours"), "ours", {});
  const silent = await startOurs(stage, await server.newDatabase("ours_silent"), "ours, log silent", {
    TIDEGATE_LOG_LEVEL: "silent",
  });
  const rowBytes = await bytesOfOneCreate(ours);
  const floor = await startFloor(stage, await server.newDatabase("floor"), rowBytes);
  return [floor, ours, silent];
}

async function startOurs(
  stage: AsyncDisposableStack,
  databaseUrl: string,
  name: Contender["name"],
  environment: Readonly<Record<string, string>>,
): Promise<Contender> {
  const { pid, port } = await startGatewayProgram(stage, databaseUrl, environment);
  return {
    name,
    pid,
    target: { port, path: "/paymentrequests", headers: { "X-Api-Key": BENCH_KEY }, body: BODY },
    databaseUrl,
    countRows: () =>
      queryOne(
        databaseUrl,
        `select (select count(*)::int from payment_requests) as payment_requests,
           (select count(*)::int from events where event = 'payment_requests') as events,
           (select count(*)::int from jobs where kind = 'payment_request_expire') as jobs`,
      ),
  };
}

/** Makes one payment request and measures what it left behind: its row and its event's body. Then takes it away. */
async function bytesOfOneCreate({ target, databaseUrl }: Contender): Promise<number> {
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
  const poolSize = SETTINGS.databasePoolSize.read(undefined);
  if (!("value" in poolSize)) throw new Error("the pool size has no default");
  const program = startProgram(stage, "bench/floor/bare-insert.ts", {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      ...process.env,
      FLOOR_DATABASE_URL: databaseUrl,
      FLOOR_POOL_SIZE: String(poolSize.value),
      FLOOR_ROW_BYTES: String(rowBytes),
    },
  });
  const { port } = await nextMessage<{ port: number }>(program, 30_000);
  return {
    name: "floor",
    pid: program.pid,
    target: { port, path: "/rows", headers: { "X-Api-Key": BENCH_KEY }, body: BODY },
    databaseUrl,
    countRows: () => queryOne(databaseUrl, "select count(*)::int as rows from rows"),
  };
}
