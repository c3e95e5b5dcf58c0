import pg from "pg";
import { type Instant, instant, toIso } from "../../kernel/time.ts";

/** One SQL statement. Its name is the name of the prepared statement, so one name must always mean the same text. */
export type Statement = { readonly name: string; readonly text: string };

export function sql(name: string, text: string): Statement {
  return { name, text };
}

/** A value that a statement takes. Moments travel as ISO text. */
export type Parameter = string | number | boolean | null | Uint8Array | readonly string[] | readonly number[];

/** Where statements run: in a transaction, or each on its own. Every function of a `queries.ts` takes it first. */
export type Tx = {
  readonly rows: <Row>(statement: Statement, parameters: readonly Parameter[]) => Promise<readonly Row[]>;
};

export type Database = Tx & {
  /** Commits when the work returns, rolls back when it throws. The work may run again after a deadlock. */
  readonly transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  readonly close: () => Promise<void>;
  readonly load: () => { readonly total: number; readonly idle: number; readonly waiting: number };
};

export type DatabaseOptions = {
  readonly url: string;
  readonly poolSize: number;
  readonly preparedStatements: boolean;
  /** Told of connections that broke while nobody used them. */
  readonly onIdleTrouble: (error: Error) => void;
};

const DEADLOCK_TRIES = 5;
const RETRIED = new Set(["40P01", "40001"]);

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: "tidegate",
    statement_timeout: 10_000,
    lock_timeout: 8_000,
    idle_in_transaction_session_timeout: 30_000,
    types: { getTypeParser: parserFor },
  });
  // Without a listener, node-postgres ends the process when an idle connection breaks.
  pool.on("error", options.onIdleTrouble);

  const runner = (client: pg.Pool | pg.PoolClient): Tx => ({
    rows: async <Row>(statement: Statement, parameters: readonly Parameter[]) => {
      const query = { text: statement.text, values: parameters.map(toWire) };
      const result = await client.query(
        options.preparedStatements ? { ...query, name: statement.name } : query,
      );
      return result.rows as Row[];
    },
  });

  async function transactionOnce<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on("error", onError);
    try {
      await client.query("begin");
      const result = await work(runner(client));
      const { command } = await client.query("commit");
      // A commit of a transaction that failed before is answered with ROLLBACK, not with an error.
      if (command !== "COMMIT") throw new Error(`the transaction ended in ${command}`);
      return result;
    } catch (error) {
      await client.query("rollback").catch((trouble: Error) => {
        broken = trouble;
      });
      throw error;
    } finally {
      client.off("error", onError);
      client.release(broken);
    }
  }

  return {
    ...runner(pool),
    transaction: async (work) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await transactionOnce(work);
        } catch (error) {
          if (tries === DEADLOCK_TRIES || !RETRIED.has(sqlState(error) ?? "")) throw error;
        }
      }
    },
    close: () => pool.end(),
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/** The one row that a statement must give. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
  return row;
}

export function sqlState(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code;
  return undefined;
}

/** The name of the constraint or unique index that a write ran into. */
export function brokenConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

/** For parameters of type timestamptz. */
export function at(moment: Instant): string {
  return toIso(moment);
}

function toWire(parameter: Parameter): unknown {
  return parameter instanceof Uint8Array ? Buffer.from(parameter) : parameter;
}

const INT8 = 20;
const TIMESTAMPTZ = 1184;
const JSON_TEXT = 114;

/** Whole numbers as numbers (all of ours are safe), moments as instants, `json` as the exact text that was stored. */
function parserFor(oid: number, format?: "text" | "binary"): (text: string) => unknown {
  if (oid === INT8) return Number;
  if (oid === TIMESTAMPTZ)
    return (text) => instant(Date.parse(text.replace(" ", "T").replace(/([+-]\d{2})$/, "$1:00")));
  if (oid === JSON_TEXT) return (text) => text;
  return pg.types.getTypeParser(oid, format as "text") as (text: string) => unknown;
}
