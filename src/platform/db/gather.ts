import type { Cell, Statement } from "./statement.ts";

/**
 * Writes one row; true when it was written. Rows that arrive in the same turn of the event loop share one statement, and
 * with it the round trip and the commit: the busier the process, the more rows go together, and no row
 * waits for others that may not come.
 *
 * The statement takes columns, one array per parameter, and returns the `place`, counted from 1, of each row that it wrote.
 * The rows of one statement commit together, before any of them is acknowledged.
 */
export type Gather = (statement: Statement, row: readonly Cell[]) => Promise<boolean>;

/** Runs the statement and returns the places of the rows that it wrote. */
type Write = (statement: Statement, columns: readonly (readonly Cell[])[]) => Promise<ReadonlySet<number>>;

type Waiting = {
  readonly row: readonly Cell[];
  readonly resolve: (isWritten: boolean) => void;
  readonly reject: (error: unknown) => void;
};

const ROWS_AT_MOST = 32;

/** `isUndone` is true for an error after which the statement has certainly written nothing. */
export function createGatherer(write: Write, isUndone: (error: unknown) => boolean): Gather {
  const open = new Map<Statement, Waiting[]>();

  async function send(statement: Statement, batch: readonly Waiting[]): Promise<void> {
    try {
      const columns = (batch[0]?.row ?? []).map((_, column) => batch.map(({ row }) => row[column] ?? null));
      const written = await write(statement, columns);
      for (const [index, { resolve }] of batch.entries()) resolve(written.has(index + 1));
    } catch (error) {
      // One bad row does not fail the others. If the outcome is unknown, nothing is retried and every caller gets the error.
      if (batch.length > 1 && isUndone(error)) await Promise.all(batch.map((one) => send(statement, [one])));
      else for (const { reject } of batch) reject(error);
    }
  }

  function join(statement: Statement, one: Waiting): void {
    const batch = open.get(statement) ?? [];
    batch.push(one);
    if (batch.length === 1) {
      open.set(statement, batch);
      setImmediate(() => {
        if (open.get(statement) === batch) open.delete(statement);
        void send(statement, batch);
      });
    }
    if (batch.length === ROWS_AT_MOST) open.delete(statement);
  }

  return (statement, row) => new Promise((resolve, reject) => join(statement, { row, resolve, reject }));
}
