import type { TestDatabase } from "./database.ts";
import type { TestGateway } from "./gateway.ts";

/** Counts by their labels, without quotes: `mode=sandbox,source=card,status=approved`. */
export type Series = Readonly<Record<string, number>>;

/** The sum of a counter over these nodes; series at 0 are left out. */
export async function counted(nodes: readonly TestGateway[], name: string): Promise<Series> {
  const sum: { [series: string]: number } = {};
  for (const node of nodes) {
    const { body } = await node.get("/metrics", { key: null });
    for (const [, labels = "", value] of String(body).matchAll(
      new RegExp(`^${name}\\{(.*)\\} (\\d+)$`, "gm"),
    )) {
      const series = labels.replaceAll('"', "");
      if (value !== "0") sum[series] = (sum[series] ?? 0) + Number(value);
    }
  }
  return sum;
}

/** The expected `tidegate_payments_total`, from the tables. A returned debit counts as approved, too. */
export async function recordedPayments(database: TestDatabase): Promise<Series> {
  const rows = await database.rows<{ source: string; status: string; count: number }>(
    `select source, ended.status, count(*)::int as count from transactions,
       unnest(case when status = 'pending' then '{}' when code = 'D10005' then '{approved,returned}'
         else array[status] end) as ended (status)
     group by 1, 2`,
  );
  return Object.fromEntries(
    rows.map(({ source, status, count }) => [`mode=sandbox,source=${source},status=${status}`, count]),
  );
}

export function sumOf(series: Series): number {
  return Object.values(series).reduce((total, value) => total + value, 0);
}
