import pg from "pg";
import { DAY, HOUR } from "../../src/kernel/time.ts";
import { copyLines } from "./copy.ts";
import { TABLES } from "./rows.ts";
import { type Sizes, SMALL_MERCHANTS } from "./sizes.ts";

/**
 * Fills every table that the measured operations use: transactions, payment requests with their jobs, events, pending
 * deliveries, idempotency keys and unpaid lines. One merchant has most of the rows, many small ones have the others.
 * By `copy`, and indexes are built afterwards: a million rows of every table take about a minute. Triggers do not run.
 */
export async function fillTables(url: string, sizes: Sizes, report: (line: string) => void): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const names = TABLES.map(({ table }) => table);
    await client.query("set session_replication_role = replica");
    await client.query("set maintenance_work_mem = '1GB'");
    await client.query("begin");
    await makeSmallMerchants(client, sizes);
    // Emptied in this transaction, a table takes frozen rows: no vacuum has to write them again.
    await client.query("create temp table kept on commit drop as select * from jobs");
    await client.query(`truncate ${names.join()} cascade`);
    await client.query(
      "update pg_index set indisready = false, indisvalid = false where indrelid = any ($1::text[]::regclass[])",
      [names],
    );
    for (const { table, columns, lines } of TABLES) {
      report(`copying ${table}`);
      await copyLines(client, `${table} (${columns})`, lines(sizes));
    }
    await client.query("insert into jobs overriding system value select * from kept");
    await client.query("select setval(pg_get_serial_sequence('jobs', 'id'), (select max(id) from jobs))");
    await client.query("commit");
    for (const table of names) {
      report(`indexing ${table}`);
      await client.query(`reindex table ${table}`);
    }
    await client.query("vacuum analyze");
    await client.query("checkpoint");
  } finally {
    await client.end();
  }
}

/** Like the large one in everything but their size. Their hours are added up already. */
async function makeSmallMerchants(client: pg.Client, { merchantId, small, now }: Sizes): Promise<void> {
  await client.query(
    `insert into merchants select made.* from merchants m cross join generate_series(1, $2::int) n
       cross join lateral json_populate_record(m, json_build_object('id', '${SMALL_MERCHANTS}' || n)) as made
     where m.id = $1`,
    [merchantId, small],
  );
  const hour = new Date(now - (now % HOUR) + DAY).toISOString();
  await client.query(
    `insert into payment_hours_kept (merchant_id, through, next, next_from)
     select id, $1, $1, now() from merchants where id like '${SMALL_MERCHANTS}%'`,
    [hour],
  );
}
