import type { Instant } from "../../kernel/time.ts";
import { onlyRow, sql, type Tx } from "./database.ts";

/** What an operator has to know of the database server. */
export type ServerFacts = {
  readonly version: string;
  /** By its own clock. */
  readonly now: Instant;
  /** A standby: it takes no writes. */
  readonly isReadOnly: boolean;
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly fullPageWrites: string;
  readonly connections: number;
  readonly connectionsAtMost: number;
  /** The TLS version of this connection; null: plain. */
  readonly tls: string | null;
  /** Over a socket file or loopback: no network that others could listen on. */
  readonly isLocal: boolean;
  /** This role could change tables, or rewrite the audit log. */
  readonly mayChangeSchema: boolean;
  readonly mayRewriteAudit: boolean;
};

const FACTS = sql(
  "server_facts",
  `select current_setting('server_version') as version, clock_timestamp() as now,
     pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
     current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit",
     current_setting('full_page_writes') as "fullPageWrites",
     (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
     current_setting('max_connections')::int as "connectionsAtMost",
     (select case when ssl then version end from pg_stat_ssl where pid = pg_backend_pid()) as tls,
     coalesce(inet_server_addr() << '127.0.0.0/8' or host(inet_server_addr()) = '::1', true) as "isLocal",
     has_schema_privilege(current_schema(), 'create') as "mayChangeSchema",
     has_table_privilege('audit_log', 'update, delete, truncate') as "mayRewriteAudit"`,
);

export async function readServerFacts(tx: Tx): Promise<ServerFacts> {
  return onlyRow(await tx.rows<ServerFacts>(FACTS, []));
}
