import type { TestDatabase } from "./database.ts";
import type { GatewayProcess } from "./gateway-process.ts";

type DescribedNode = Pick<GatewayProcess, "shop"> & Partial<Pick<GatewayProcess, "log">>;

/** What helps to understand why something stays unsettled. */
export async function describeUnsettled(
  database: TestDatabase,
  nodes: readonly DescribedNode[],
): Promise<string> {
  const overdue = await database.rows(
    "select * from deliveries where status = 'pending' order by due_at limit 3",
  );
  const jobs = await database.rows("select * from jobs where due_at < now() order by due_at limit 3");
  const leases = await database.rows("select *, now() from delivery_leases");
  const facts = [JSON.stringify({ overdue, jobs, leases })];
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
