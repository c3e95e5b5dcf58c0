import pg from "pg";
import { DISTRIBUTED_TABLES, REFERENCE_TABLES } from "../../src/platform/db/distribution.ts";
import { migrateDistributed } from "../../src/platform/db/migrate.ts";
import { eventually } from "./eventually.ts";

/** The coordinator of a Citus cluster that suites run against instead of the test server, if there is one. */
export const CITUS_URL = process.env["TIDEGATE_TEST_CITUS_URL"];

/** Enough for rows of two merchants to lie on two servers. */
const SHARDS = 4;

type Node = { readonly host: string; readonly port: number; readonly coordinator: boolean };

/** Makes a database on every server of the cluster, migrated and distributed, that test files clone. */
export async function makeDistributedTemplate(coordinator: string, name: string): Promise<void> {
  await dropDistributedDatabase(coordinator, name);
  await migrateDistributed(await makeUndistributed(coordinator, name));
}

/** An empty database on every server of the cluster, which know each other there. Returns its URL at the coordinator. */
export async function makeUndistributed(coordinator: string, name: string): Promise<string> {
  const nodes = await listNodes(coordinator);
  for (const node of nodes) {
    await run(at(coordinator, node), `create database ${name}`);
    await run(at(coordinator, node, name), "create extension citus");
  }
  const url = named(coordinator, name);
  await run(url, `alter database ${name} set citus.shard_count = ${SHARDS}`);
  for (const { host, port, coordinator: isFirst } of nodes)
    await run(url, `select ${isFirst ? "citus_set_coordinator_host" : "citus_add_node"}('${host}', ${port})`);
  return url;
}

/** Clones the template on every server; a clone keeps what its servers know of each other. Returns its URL. */
export async function cloneDistributed(coordinator: string, template: string, name: string): Promise<string> {
  for (const node of await listNodes(coordinator))
    await eventually(
      "no daemon of Citus holds the template",
      async () => {
        const server = at(coordinator, node);
        await run(
          server,
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`,
        );
        return run(server, `create database ${name} template ${template}`).then(
          () => true,
          () => false,
        );
      },
      30_000,
    );
  return named(coordinator, name);
}

/**
 * Reads with queries that Citus does not have, on copies of the tables in one session. For checks over all rows, such as the
 * invariants'.
 */
export async function readCopies(url: string, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const table of [...DISTRIBUTED_TABLES, ...Object.keys(REFERENCE_TABLES)])
      await client.query(`create temp table ${table} as select * from public.${table}`);
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export async function dropDistributedDatabase(coordinator: string, name: string): Promise<void> {
  for (const node of await listNodes(coordinator))
    await eventually(
      "no daemon of Citus holds the database",
      () =>
        run(at(coordinator, node), `drop database if exists ${name} with (force)`).then(
          () => true,
          () => false,
        ),
      30_000,
    );
}

/** The coordinator first. */
async function listNodes(coordinator: string): Promise<readonly Node[]> {
  const client = new pg.Client({ connectionString: coordinator });
  await client.connect();
  try {
    const { rows } = await client.query<Node>(
      `select nodename as host, nodeport as port, groupid = 0 as coordinator from pg_dist_node
       where isactive order by groupid`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

function at(coordinator: string, { host, port }: Node, database?: string): string {
  const url = new URL(coordinator);
  url.hostname = host;
  url.port = String(port);
  return database === undefined ? url.href : named(url.href, database);
}

function named(url: string, database: string): string {
  const place = new URL(url);
  place.pathname = `/${database}`;
  return place.href;
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
