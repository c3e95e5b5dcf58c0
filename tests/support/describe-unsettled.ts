import type { TestDatabase } from "./database.ts";
import type { GatewayProcess } from "./gateway-process.ts";
import { findUnsettled } from "./invariants.ts";

type DescribedNode = Pick<GatewayProcess, "shop"> & Partial<Pick<GatewayProcess, "log">>;

/** Where records of an unsettled subject are found. */
const ABOUT_SUBJECT = {
  payment_requests: "id",
  transactions: "id",
  refunds: "id",
  events: "resource_id",
  jobs: "subject_id",
  sandbox_ledger: "reference",
};

/** What helps to understand why something stays unsettled. */
export async function describeUnsettled(
  database: TestDatabase,
  nodes: readonly DescribedNode[],
): Promise<string> {
  const overdue = await database.rows(
    "select * from deliveries where status = 'pending' order by due_at limit 3",
  );
  const jobs = await database.rows(
    "select *, now() from jobs where due_at < now() or tries > 0 or problem is not null order by due_at limit 5",
  );
  const leases = await database.rows("select *, now() from delivery_leases");
  const facts = [JSON.stringify({ overdue, jobs, leases })];
  const subjects = (await findUnsettled(database)).map(({ subject }) => subject);
  for (const subject of [...new Set(subjects)].slice(0, 3)) {
    const records: Record<string, unknown> = {};
    for (const [table, column] of Object.entries(ABOUT_SUBJECT))
      records[table] = await database.rows(`select * from ${table} where ${column} = $1 limit 10`, [subject]);
    facts.push(`${subject}: ${JSON.stringify(records)}`);
  }
  for (const { shop, log } of nodes) {
    const answer = await fetch(`${shop.baseUrl.replace("localhost", "127.0.0.1")}/metrics`).catch(
      () => undefined,
    );
    const lines = (await answer?.text())?.split("\n") ?? [];
    facts.push(
      ...lines.filter((line) => /^tidegate_(?:webhook|jobs|database)/.test(line)),
      log?.().slice(-3_000) ?? "",
    );
  }
  return facts.join("\n");
}
