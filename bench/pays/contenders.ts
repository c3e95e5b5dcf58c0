import type { Contender } from "../contender.ts";
import type { Generator, LoadTarget } from "../load/drive.ts";
import { NUMBER } from "../load/number.ts";
import { type BenchServer, query, queryOne, startDatabaseServer } from "../stage/database.ts";
import { startFloorProgram } from "../stage/floor.ts";
import { startGatewayProgram } from "../stage/gateway.ts";
import { acknowledged, failures } from "../statistics.ts";
import { copySessions, idPrefix, SESSION_PREFIX } from "./copy-sessions.ts";
import { makeSample, PAY_BODY, type Sample } from "./sample.ts";

export const PAY_CONNECTIONS = 32;

/** More than any contender answers in a second; this many sessions are prepared for each second of load. */
const SESSIONS_PER_SECOND = 5_000;

/** Floors first: all on one PostgreSQL server, each with its own process and its own copy of the template database. */
export async function startContenders(stage: AsyncDisposableStack): Promise<readonly Contender[]> {
  const server = await startDatabaseServer(stage);
  const sample = await createTemplate(server);
  const floor = await startFloor(stage, server, sample, { name: "floor", kind: "statements" });
  const merged = await startFloor(stage, server, sample, { name: "floor, merged", kind: "merged" });
  const databaseUrl = await server.newDatabase("ours", TEMPLATE);
  const { pid, hostedPort: port } = await startGatewayProgram(stage, databaseUrl, {});
  const ours = contenderOf({ name: "ours", pid, port, path: "/checkout/pay", databaseUrl }, sample);
  return [floor, merged, ours];
}

const TEMPLATE = "template_of_all";

/** Creates a database that the gateway has migrated, with one payment and one session. */
async function createTemplate(server: BenchServer): Promise<Sample> {
  const databaseUrl = await server.newDatabase(TEMPLATE);
  await using stage = new AsyncDisposableStack();
  return await makeSample(await startGatewayProgram(stage, databaseUrl, {}));
}

async function startFloor(
  stage: AsyncDisposableStack,
  server: BenchServer,
  sample: Sample,
  { name, kind }: { readonly name: string; readonly kind: "statements" | "merged" },
): Promise<Contender> {
  const databaseUrl = await server.newDatabase(`floor_${kind}`, TEMPLATE);
  const { pid, port } = await startFloorProgram(stage, "bench/floor/bare-pay.ts", databaseUrl, {
    FLOOR_KIND: kind,
    FLOOR_PAID_ID: sample.paidId,
    FLOOR_REQUEST_PREFIX: idPrefix(sample.openId),
  });
  return contenderOf({ name, pid, port, path: "/pay", databaseUrl }, sample);
}

type Started = {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  readonly path: string;
  readonly databaseUrl: string;
};

function contenderOf({ name, pid, port, path, databaseUrl }: Started, { openId }: Sample): Contender {
  const headers = { "X-Checkout-Session": SESSION_PREFIX + NUMBER };
  const target: LoadTarget = { port, path, headers, body: PAY_BODY, connections: PAY_CONNECTIONS };
  let [next, made] = [0, 0];
  return {
    name,
    pid,
    databaseUrl,
    load: async (generator: Generator, seconds: number, rate?: number) => {
      const wanted = next + Math.ceil(SESSIONS_PER_SECOND * seconds);
      if (made < wanted) {
        await copySessions(databaseUrl, openId, made, wanted - made);
        await query(databaseUrl, "analyze");
        made = wanted;
      }
      const load = await generator.run({ ...target, firstNumber: next, seconds, rate });
      next += acknowledged(load) + failures(load);
      return load;
    },
    countRows: () => countPayments(databaseUrl, name === "ours"),
  };
}

/** The rows of each kind that payments have written. The sample's own payment is not counted. */
async function countPayments(databaseUrl: string, withAcquirer: boolean) {
  const ledger = `(select count(*)::int - 1 from sandbox_ledger where kind = 'authorisation') as "acquirer's ledger",`;
  return queryOne<Record<string, number>>(
    databaseUrl,
    `select (select count(*)::int - 1 from transactions where status = 'approved' and captured = 3000) as approved,
       (select count(*)::int - 1 from payment_requests
        where status = 'completed' and approved_transaction_id is not null) as completed,
       (select count(*)::int - 1 from one_time_tokens where status = 'processed') as tokens,
       ${withAcquirer ? ledger : ""}
       (select (count(*)::int - 2) / 2 from events where event = 'transactions') as "pairs of transaction events",
       (select count(*)::int - 1 from events
        where event = 'payment_requests' and body like '%"paymentRequestStatus":"completed"%') as "request events"`,
  );
}
