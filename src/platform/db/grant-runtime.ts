import pg from "pg";

/** What the runtime role may do with tables that it must not rewrite. Every other table it may read and write. */
const RESTRICTED: Readonly<Record<string, string>> = {
  schema_migrations: "select",
  distribution: "select",
  audit_log: "select, insert",
  audit_head: "select",
};

/**
 * Gives the runtime role what the gateway needs and no more: no table of its own, no change of the schema, no update or
 * delete on the audit log. It can be repeated, and takes away what an operator granted beyond it.
 */
export async function grantRuntime(client: pg.Client, role: string): Promise<void> {
  const who = pg.escapeIdentifier(role);
  const { rows } = await client.query<{ schema: string; tables: string[] }>(
    `select current_schema() as schema, coalesce(array_agg(c.relname order by c.relname), '{}')::text[] as tables
     from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`,
  );
  const { schema = "public", tables = [] } = rows[0] ?? {};
  const place = pg.escapeIdentifier(schema);
  const grants = tables.flatMap((table) => {
    const name = `${place}.${pg.escapeIdentifier(table)}`;
    const rights = RESTRICTED[table];
    if (rights === undefined) return [`grant select, insert, update, delete on ${name} to ${who}`];
    return [`revoke all on ${name} from ${who}`, `grant ${rights} on ${name} to ${who}`];
  });
  const statements = [
    `revoke create on schema ${place} from ${who}`,
    `grant usage on schema ${place} to ${who}`,
    ...grants,
    `grant usage on all sequences in schema ${place} to ${who}`,
    `grant execute on all functions in schema ${place} to ${who}`,
  ];
  await client.query("begin");
  try {
    for (const statement of statements) await client.query(statement);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
