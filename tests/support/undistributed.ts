import { randomBytes } from "node:crypto";
import pg from "pg";
import { migrate } from "../../src/platform/db/migrate.ts";
import { CITUS_URL, dropDistributedDatabase, makeUndistributed, readCopies } from "./citus.ts";
import { cloneDatabase, type TestDatabase } from "./database.ts";

/** A migrated database that `tidegate migrate --citus` can distribute: on a cluster, or on one server that is taken for one. */
export async function cloneUndistributed(): Promise<TestDatabase> {
  if (CITUS_URL !== undefined) return makeOnCluster(CITUS_URL);
  const database = await cloneDatabase();
  await database.rows(TAKEN_FOR_CITUS);
  return database;
}

async function makeOnCluster(coordinator: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const url = await makeUndistributed(coordinator, name);
  await migrate(url);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on("error", () => {});
  return {
    url,
    rows: async (text, values = []) => (await pool.query(text, [...values])).rows,
    readAll: (text) => readCopies(url, text) as Promise<never[]>,
    drop: async () => {
      await pool.end();
      await dropDistributedDatabase(coordinator, name);
    },
  };
}

/**
 * What the gateway uses of Citus, on one server: it keeps a list of the tables that are placed and of those whose copy on
 * the coordinator is still there, and refuses triggers without the setting for them. Rows stay where they are.
 */
const TAKEN_FOR_CITUS = `
  create table pg_dist_node (groupid int not null);
  insert into pg_dist_node values (0);
  create table pg_dist_partition (
    logicalrelid regclass primary key, partmethod "char" not null, repmodel "char" not null,
    has_copy boolean not null default true
  );
  create function create_reference_table(placed regclass) returns void language sql as $$
    insert into pg_dist_partition values (placed, 'n', 't')
  $$;
  create function create_distributed_table(placed regclass, by_column text, colocate_with text)
  returns void language sql as $$
    insert into pg_dist_partition values (placed, 'h', 's')
  $$;
  create function truncate_local_data_after_distributing_table(placed regclass) returns void language sql as $$
    update pg_dist_partition set has_copy = false where logicalrelid = placed
  $$;
  create function undistribute_table(placed regclass) returns void language sql as $$
    delete from pg_dist_partition where logicalrelid = placed
  $$;
  create function refuse_triggers() returns event_trigger language plpgsql as $$
  begin
    if current_setting('citus.enable_unsafe_triggers', true) is distinct from 'on'
      and exists (select from pg_dist_partition) then raise 'triggers are not supported';
    end if;
  end $$;
  create event trigger refuse_triggers on ddl_command_start when tag in ('CREATE TRIGGER')
    execute function refuse_triggers();`;
