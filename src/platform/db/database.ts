import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { type Instant, instant, toIso } from "../../kernel/time.ts";
import { connectionString } from "./connection-string.ts";
import { createGatherer, type Gather, gatherOne } from "./gather.ts";
import type { Outages } from "./outages.ts";
import { planAgainAsTablesGrow } from "./plan-again.ts";
import type { Cell, Statement } from "./statement.ts";

export { type Cell, type Statement, sql } from "./statement.ts";

/** What a statement takes. */
export type Parameter = Cell | Uint8Array | readonly Cell[];

/** Where statements run: in a transaction, or each on its own. Every function of a `queries.ts` takes it first. */
export type Tx = {
  readonly rows: <Row>(statement: Statement, parameters: readonly Parameter[]) => Promise<readonly Row[]>;
  /** Runs a statement for one row, together with others of the same moment where it is not in a transaction. */
  readonly gather: Gather;
  /** Whether the tables are distributed over several servers. Not set where there is one server for certain. */
  readonly isDistributed?: () => Promise<boolean>;
  /** Set for work of many merchants that goes on for the others while one server of several is away. */
  readonly outages?: Outages;
};

export type Database = Tx & {
  /** Commits when the work returns, rolls back when it throws. The work may run again after a deadlock. */
  readonly transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** Runs reads on one state of the database. It writes nothing, however long it takes. */
  readonly snapshot: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  readonly close: () => Promise<void>;
  readonly load: () => { readonly total: number; readonly idle: number; readonly waiting: number };
};

export type DatabaseOptions = {
  readonly url: string;
  readonly poolSize: number;
  readonly preparedStatements: boolean;
  /** What a replica does not answer soon, or not at the first attempt, the primary is asked instead. */
  readonly isReplica?: boolean;
  /** Called when an idle connection breaks. */
  readonly onIdleError: (error: Error) => void;
};

/**
 * The server ends a statement after `statement`. A server that has vanished without a word ends nothing: after `onTheWay`
 * more the gateway gives the connection up.
 */
const PATIENCE_MS = { connect: 5_000, statement: 10_000, onTheWay: 2_000 };
const PATIENCE_WITH_REPLICA_MS = { connect: 2_000, statement: 2_000, onTheWay: 500 };

const DEADLOCK_ATTEMPTS = 8;
/** Doubles with each attempt: on a cluster, all first writes of a new merchant may meet while its keys are made. */
const DEADLOCK_PAUSE_MS = 20;
const DEADLOCK_PAUSE_AT_MOST_MS = 500;
const RETRIED = new Set(["40P01", "40001"]);
/** The SQLSTATE of a statement that met its timeout. */
export const TOO_SLOW = "57014";

/**
 * What the code relies on, whatever the server's own defaults are: the form of moments, what a waiting insert sees, and one
 * plan per statement. Every statement has its own text and an index for its plan; planning it again for each set of
 * parameters took a sixth of the database's time of a payment and half of that of a list.
 */
export const SESSION_OPTIONS =
  "-c datestyle=ISO -c default_transaction_isolation=read\\ committed -c plan_cache_mode=force_generic_plan";

/** How long a connection may take: what the URL says (`connect_timeout` in seconds, as libpq reads it), else `usualMs`. */
export function connectWithinMs(url: string, usualMs: number): number {
  const seconds = Number(/[?&]connect_timeout=(\d{1,4})(?:&|$)/.exec(url)?.[1] ?? 0);
  return seconds > 0 ? seconds * 1_000 : usualMs;
}

export function openDatabase(options: DatabaseOptions): Database {
  // A replica's URL can't make lists wait longer: the primary answers them instead.
  const { connect, statement, onTheWay } =
    options.isReplica === true
      ? PATIENCE_WITH_REPLICA_MS
      : { ...PATIENCE_MS, connect: connectWithinMs(options.url, PATIENCE_MS.connect) };
  const pool = new pg.Pool({
    connectionString: connectionString(options.url),
    max: options.poolSize,
    connectionTimeoutMillis: connect,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: "tidegate",
    statement_timeout: statement,
    query_timeout: statement + onTheWay,
    lock_timeout: 8_000,
    idle_in_transaction_session_timeout: 30_000,
    options: SESSION_OPTIONS,
    types: { getTypeParser: parserFor },
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, though its types do not say so
    onConnect: planForDistribution,
  });
  // Without a listener, node-postgres ends the process when an idle connection breaks.
  pool.on("error", options.onIdleError);
  // The pool has no listener either while a connection changes hands, and it can break then, too.
  pool.on("connect", (client) => client.on("error", () => {}));
  if (options.preparedStatements) pool.on("acquire", planAgainAsTablesGrow());

  // Read once: tables are distributed while no gateway runs.
  let distribution: Promise<boolean> | undefined;
  const isDistributed = () => {
    distribution ??= readDistribution(pool).catch((error: unknown) => {
      distribution = undefined;
      throw error;
    });
    return distribution;
  };

  const rowsOf =
    (client: pg.Pool | pg.PoolClient): Tx["rows"] =>
    async <Row>(statement: Statement, parameters: readonly Parameter[]) => {
      const { name, distributed } = statement;
      const text = distributed !== undefined && (await isDistributed()) ? distributed : statement.text;
      if (text === false) throw new Error(`${name} is for one database server alone`);
      const values = parameters as Parameter[];
      const query = options.preparedStatements ? { name, text, values } : { text, values };
      return (await client.query(query)).rows as Row[];
    };

  const txOf = (client: pg.PoolClient): Tx => {
    const rows = rowsOf(client);
    return { isDistributed, rows, gather: gatherOne(rows) };
  };

  async function transactionOnce<Result>(
    work: (tx: Tx) => Promise<Result>,
    begin = "begin",
  ): Promise<Result> {
    const client = await pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on("error", onError);
    try {
      await client.query(begin);
      const result = await work(txOf(client));
      const { command } = await client.query("commit");
      // A commit of a transaction that failed before is answered with ROLLBACK, not with an error.
      if (command !== "COMMIT") throw new Error(`the transaction ended in ${command}`);
      return result;
    } catch (error) {
      // A rollback would wait behind a statement without an answer: the connection is closed instead.
      if (error instanceof Error && isUnanswered(error)) broken = error;
      else
        await client.query("rollback").catch((failure: unknown) => {
          broken = failure instanceof Error ? failure : new Error("the rollback failed");
        });
      throw error;
    } finally {
      client.off("error", onError);
      client.release(broken);
    }
  }

  const once = rowsOf(pool);

  // A cluster's locks on reference tables can make a single statement lose a deadlock, too.
  const again: Tx["rows"] = <Row>(statement: Statement, parameters: readonly Parameter[]) =>
    options.isReplica === true
      ? once<Row>(statement, parameters)
      : repeatedly(() => once<Row>(statement, parameters));

  return {
    rows: again,
    isDistributed,
    gather: createGatherer({ together: once, alone: again, isForEachAlone }),
    transaction: (work) => repeatedly(() => transactionOnce(work)),
    snapshot: (work) => transactionOnce(work, "begin isolation level repeatable read, read only"),
    close: () => pool.end(),
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/** Repeats what lost a deadlock or its snapshot: it has left nothing behind. */
async function repeatedly<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempts === DEADLOCK_ATTEMPTS || !isLostRace(error)) throw error;
      // Those that met once must not meet again.
      const pause = Math.min(DEADLOCK_PAUSE_MS * 2 ** (attempts - 1), DEADLOCK_PAUSE_AT_MOST_MS);
      await setTimeout(Math.random() * pause);
    }
  }
}

/** True when a statement lost a deadlock or its snapshot, or was in the way of a replica's replay. */
export function isLostRace(error: unknown): boolean {
  return RETRIED.has(sqlState(error) ?? "");
}

/** The one row that a statement must return. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
  return row;
}

export function sqlState(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code;
  return undefined;
}

/** True when a connection did not answer in time: the statement's outcome is not known. */
export function isUnanswered(error: Error): boolean {
  return error.message === "Query read timeout";
}

/** Errors after which the statement has surely left nothing behind; a lost connection is none of them. */
export function isUndone(error: unknown): boolean {
  return /^(22...|23...|40...|55P03|57014)$/.test(sqlState(error) ?? "");
}

/** After a statement that was too slow its rows would be too slow again, and their callers have waited long enough. */
function isForEachAlone(error: unknown): boolean {
  return isUndone(error) && sqlState(error) !== TOO_SLOW;
}

/**
 * The name of the constraint, of the unique index or of a trigger's rule that a write ran into. A distributed database has it
 * in the message alone: that of a constraint or index with the number of a shard behind it.
 */
export function brokenConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const inMessage = /(?:constraint|rule) "(\w+?)(?:_\d{6,})?"/.exec(error.message)?.[1];
  return error.constraint ?? inMessage;
}

/**
 * Citus plans with the values of parameters, because they say which server has the rows: it has no plan for all values. Its
 * locks on reference tables stay on the coordinator, through which every change of them goes: by default a payment of any
 * merchant locks the merchant's clock on the first worker, too, and fails while that is away. A database without the table
 * has not been migrated yet.
 */
async function planForDistribution(client: Pick<pg.ClientBase, "query">): Promise<void> {
  await client
    .query(
      `select set_config('plan_cache_mode', 'auto', false),
         set_config('citus.allow_modifications_from_workers_to_replicated_tables', 'off', false)
       from distribution where ended_at is not null`,
    )
    .catch((error: unknown) => {
      if (sqlState(error) !== UNDEFINED_TABLE) throw error;
    });
}

const UNDEFINED_TABLE = "42P01";

async function readDistribution(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query("select from distribution where ended_at is not null");
  return rows.length > 0;
}

/** For parameters of type timestamptz. */
export function at(moment: Instant): string {
  return toIso(moment);
}

const INT8 = 20;
const TIMESTAMPTZ = 1184;
const JSON_TEXT = 114;

/** PostgreSQL writes whole hours of a time zone without the minutes, and a space before the time. */
function isoOf(text: string): string {
  const minutes = text.at(-3) === ":" ? "" : ":00";
  return `${text.slice(0, 10)}T${text.slice(11)}${minutes}`;
}

/** Integers as numbers (all of ours are safe), moments as instants, `json` as the exact text that was stored. */
export function parserFor(oid: number, format?: "text" | "binary"): (text: string) => unknown {
  if (oid === INT8) return Number;
  if (oid === TIMESTAMPTZ) return (text) => instant(Date.parse(isoOf(text)));
  if (oid === JSON_TEXT) return (text) => text;
  return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
}
