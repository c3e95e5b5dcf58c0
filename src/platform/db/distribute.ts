import type pg from "pg";
import {
  DISTRIBUTED_TABLES,
  INDEXES_OF_ONE_SERVER,
  INDEXES_OF_SERVERS,
  LOCAL_TABLES,
  REFERENCE_TABLES,
  TRIGGERS_OF_ONE_SERVER,
} from "./distribution.ts";
import { MigrationError } from "./migration-error.ts";

/** Rows of all of these lie with the rows of their merchant in this one. */
const [FIRST_TABLE] = DISTRIBUTED_TABLES;

/** Of this version, in the order in which they are placed. */
const DECLARED: readonly string[] = [...Object.keys(REFERENCE_TABLES), ...DISTRIBUTED_TABLES];

/**
 * Distributes the tables of a migrated database over the servers of a Citus cluster, empty or filled. It can be repeated:
 * what is done stays, what an interruption left is done, tables of newer migrations are added.
 */
export async function distribute(client: pg.Client): Promise<readonly string[]> {
  await prepareDistribution(client);
  const missing = await listUnplaced(client);
  await client.query(
    "set statement_timeout = 0; set lock_timeout = 0; set citus.multi_shard_modify_mode = parallel",
  );
  if (missing.length === 0 && (await readProgress(client)) === "ended") {
    await addIndexes(client);
    return [];
  }
  await refuseRunningGateways(client);
  await begin(client, missing);
  for (const table of missing) await place(client, table);
  await addIndexes(client);
  await end(client);
  return missing;
}

/**
 * Before the migrations of a database that is distributed or will be: refuses what would leave them applied and their new
 * tables in one place, and lets them create triggers.
 */
export async function prepareDistribution(client: pg.Client): Promise<void> {
  await refuseUnfitCluster(client);
  if ((await listUnplaced(client)).length > 0) await refuseRunningGateways(client);
  // Triggers write rows of the merchant whose row they are for, so they write to their own server. A transaction that changes
  // tables and functions has to use one connection to each server.
  await client.query("set citus.enable_unsafe_triggers = on; set citus.multi_shard_modify_mode = sequential");
}

type Queries = Pick<pg.Client, "query">;

/** Undefined on one server, and where no migration has made the table that would say so. */
async function readProgress(client: Queries): Promise<"begun" | "ended" | undefined> {
  const table = await client.query<{ isThere: boolean }>(
    `select to_regclass('distribution') is not null as "isThere"`,
  );
  if (table.rows[0]?.isThere !== true) return undefined;
  const { rows } = await client.query<{ hasEnded: boolean }>(
    `select ended_at is not null as "hasEnded" from distribution`,
  );
  return rows[0] && (rows[0].hasEnded ? "ended" : "begun");
}

const AGAIN = "run `tidegate migrate --citus` again, which goes on where it ended";

/** Whether the tables are distributed. Throws while that is unfinished. */
export async function isDistributed(client: Queries): Promise<boolean> {
  const progress = await readProgress(client);
  if (progress === "begun") throw new MigrationError(`the database is distributed in part: ${AGAIN}`);
  return progress === "ended";
}

/** Throws if a part of the tables is distributed: a gateway would write rows where no other finds them. */
export async function refusePartOfDistribution(client: Queries): Promise<void> {
  if (!(await isDistributed(client))) return;
  await refuseUnfitCluster(client);
  const missing = await listUnplaced(client);
  if (missing.length > 0)
    throw new MigrationError(
      `the database is distributed, but not its tables ${missing.join(", ")}: stop all nodes, then ${AGAIN}`,
    );
}

async function refuseUnfitCluster(client: Queries): Promise<void> {
  const { rows } = await client.query<{ isInstalled: boolean }>(
    `select to_regclass('pg_dist_partition') is not null as "isInstalled"`,
  );
  if (rows[0]?.isInstalled !== true)
    throw new MigrationError(
      "this database has no Citus: run `create extension citus` in it on every server, then try again",
    );
  const nodes = await client.query<{ hasCoordinator: boolean }>(
    `select exists (select from pg_dist_node where groupid = 0) as "hasCoordinator"`,
  );
  if (nodes.rows[0]?.hasCoordinator !== true)
    throw new MigrationError(
      "the cluster does not know its coordinator: run `select citus_set_coordinator_host('…')` with the name that the workers reach it by, then try again",
    );
}

/** A node writes its row every two seconds and deletes it when it stops; a killed one leaves it behind. */
const SEEN_WITHIN = "10 seconds";

/** Sessions alone don't show every gateway: its URL may give them another name. */
async function refuseRunningGateways(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ sessions: number; hasNodes: boolean }>(
    `select to_regclass('nodes') is not null as "hasNodes",
       (select count(*) from pg_stat_activity
        where datname = current_database() and application_name like 'tidegate%')::int as sessions`,
  );
  const [found] = rows;
  const nodes =
    found?.hasNodes === true
      ? await client.query(`select from nodes where seen_at > now() - interval '${SEEN_WITHIN}'`)
      : { rows: [] };
  if ((found?.sessions ?? 0) > 0 || nodes.rows.length > 0)
    throw new MigrationError(
      `a gateway is connected to this database, or was within the last ${SEEN_WITHIN}: stop all of them, then try again`,
    );
}

/** Tables that Citus does not place yet. */
async function listUnplaced(client: Queries): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
     where p.partmethod = 'h' or p.repmodel = 't'`,
  );
  const placed = new Set(rows.map(({ name }) => name));
  return DECLARED.filter((table) => !placed.has(table));
}

type ForeignKey = {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
};

/**
 * Drops what no table can have while its rows move, and notes it: triggers would write their rows once more. All comes back
 * at the end, except foreign keys of a local table to a distributed one, which Citus does not have.
 */
async function begin(client: pg.Client, missing: readonly string[]): Promise<void> {
  const { rows } = await client.query<ForeignKey>(
    `select conname as name, f.relname as "from", t.relname as "to", pg_get_constraintdef(k.oid) as text
     from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
     where contype = 'f' and conparentid = 0 and f.relnamespace = current_schema()::regnamespace
       and (f.relname = any ($1) or t.relname = any ($1)) order by 2, 1`,
    [missing],
  );
  const kept = rows.filter(({ from, to }) => !(from in LOCAL_TABLES) || to in REFERENCE_TABLES);
  const triggers = await listTriggers(client, missing);
  const later = [
    ...triggers.flatMap(
      ({ name, text }) => (name in TRIGGERS_OF_ONE_SERVER ? TRIGGERS_OF_ONE_SERVER[name] : text) ?? [],
    ),
    ...kept.map(({ from, name, text }) => `alter table ${from} add constraint ${name} ${text}`),
  ];
  await transaction(client, async () => {
    for (const { from, name } of rows) await client.query(`alter table ${from} drop constraint ${name}`);
    for (const { table, name } of triggers) await client.query(`drop trigger ${name} on ${table}`);
    await client.query(
      `insert into distribution (restored_later) values ($1)
       on conflict (single) do update set restored_later = distribution.restored_later || $1, ended_at = null`,
      [later],
    );
  });
}

type Trigger = { readonly name: string; readonly table: string; readonly text: string };

async function listTriggers(client: pg.Client, tables: readonly string[]): Promise<readonly Trigger[]> {
  const { rows } = await client.query<Trigger>(
    `select tgname as name, c.relname as table, pg_get_triggerdef(t.oid) as text
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not tgisinternal and c.relnamespace = current_schema()::regnamespace and c.relname = any ($1) order by 2, 1`,
    [tables],
  );
  return rows;
}

/** Rows move in the transaction that places the table; the copy on the coordinator is deleted after it. */
async function place(client: pg.Client, table: string): Promise<void> {
  await transaction(client, async () => {
    await BEFORE[table]?.(client);
    if (table in REFERENCE_TABLES) {
      await client.query("select create_reference_table($1)", [table]);
      return;
    }
    await sortMerchantsAlike(client, table);
    const beside = table === FIRST_TABLE ? "none" : FIRST_TABLE;
    await client.query("select create_distributed_table($1, 'merchant_id', colocate_with => $2)", [
      table,
      beside,
    ]);
  });
  await dropLocalCopy(client, table);
}

async function dropLocalCopy(client: pg.Client, table: string): Promise<void> {
  await client.query("select truncate_local_data_after_distributing_table($1)", [table]);
}

/** While gateways may run. One that an interruption left is not valid, and made once more. */
async function addIndexes(client: pg.Client): Promise<void> {
  for (const [name, place] of Object.entries(INDEXES_OF_SERVERS)) {
    const { rowCount } = await client.query(
      "select from pg_index where indexrelid = to_regclass($1) and indisvalid",
      [name],
    );
    if (rowCount !== 0) continue;
    await client.query(`drop index if exists ${name}`);
    await client.query(`create index concurrently ${name} on ${place}`);
  }
}

/** What stands in for rules that can't span servers. */
const BEFORE: Readonly<Record<string, (client: pg.Client) => Promise<unknown>>> = {
  payment_requests: async (client) => {
    await client.query("select fill_open_payids()");
    await client.query(`drop index if exists ${INDEXES_OF_ONE_SERVER.join()}`);
  },
};

/** Tables lie together only if their merchants sort alike. */
async function sortMerchantsAlike(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ isAlike: boolean }>(
    `select attcollation = '"C"'::regcollation as "isAlike" from pg_attribute
     where attrelid = $1::regclass and attname = 'merchant_id'`,
    [table],
  );
  if (rows[0]?.isAlike !== true)
    await client.query(`alter table ${table} alter column merchant_id type text collate "C"`);
}

/**
 * What an interruption left of copies goes first. Then one statement at a time: each foreign key is checked on the servers
 * that have its rows.
 */
async function end(client: pg.Client): Promise<void> {
  for (const table of DECLARED) await dropLocalCopy(client, table);
  const { rows } = await client.query<{ later: readonly string[] }>(
    "select restored_later as later from distribution",
  );
  for (const statement of rows[0]?.later ?? []) {
    await transaction(client, async () => {
      await client.query(statement);
      await client.query("update distribution set restored_later = array_remove(restored_later, $1)", [
        statement,
      ]);
    });
  }
  await client.query("update distribution set ended_at = now()");
}

async function transaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query("begin");
  try {
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
