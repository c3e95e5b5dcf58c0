import { ROWS_AT_MOST } from "./json-rows.ts";
import type { Cell, Statement } from "./statement.ts";

/**
 * Runs a statement for one row, and returns what it returned for that row; undefined if it returned nothing. Rows that arrive in
 * the same turn of the event loop share one statement, and with it the round trip and the commit: the busier the process, the
 * more rows go together, and no row waits for others that may not come.
 *
 * The statement takes the values of `scope` first, such as the merchant: only rows of the same scope go together. Then it takes
 * columns, one array per parameter. It returns the `place`, counted from 1, of each row that it found or wrote.
 * The rows of one statement commit together, before any of them is acknowledged.
 */
export type Gather = <Row extends object = object>(
  statement: Statement,
  row: GatheredRow,
  scope?: readonly Cell[],
) => Promise<Row | undefined>;

/** Where it has objects, the statement takes the JSON of all of them (`jsonRows`), else an array. */
export type GatheredRow = readonly (Cell | object)[];

/** Runs the statement and returns its rows. */
type Run = (
  statement: Statement,
  parameters: readonly (Cell | readonly Cell[])[],
) => Promise<readonly Placed[]>;

type Placed = { readonly place: number };

type Waiting = {
  readonly row: GatheredRow;
  readonly resolve: (answer: Placed | undefined) => void;
  readonly reject: (error: unknown) => void;
};

type Batch = {
  readonly statement: Statement;
  readonly scope: readonly Cell[];
  readonly waiting: Waiting[];
};

export type Gathering = {
  /** Runs the statement of several rows, once. */
  readonly together: Run;
  /** Runs the statement of one row, again if it lost a deadlock. */
  readonly alone: Run;
  /** True for an error of a statement that has certainly written nothing, and may do better for each row alone. */
  readonly isForEachAlone: (error: unknown) => boolean;
};

export function createGatherer({ together, alone, isForEachAlone }: Gathering): Gather {
  const open = new Map<string, Batch>();

  async function send({ statement, scope, waiting }: Batch): Promise<void> {
    try {
      const answers = await runForRows(
        waiting.length === 1 ? alone : together,
        statement,
        waiting.map(({ row }) => row),
        scope,
      );
      for (const [index, { resolve }] of waiting.entries()) resolve(answers.get(index + 1));
    } catch (error) {
      // One bad row does not fail the others. If the outcome is unknown, nothing is retried and every caller gets the error.
      if (waiting.length > 1 && isForEachAlone(error))
        await Promise.all(waiting.map((one) => send({ statement, scope, waiting: [one] })));
      else for (const { reject } of waiting) reject(error);
    }
  }

  function join(statement: Statement, scope: readonly Cell[], one: Waiting): void {
    const name = scope.length === 0 ? statement.name : `${statement.name} ${scope.join(" ")}`;
    const batch = open.get(name);
    if (batch === undefined) {
      const opened: Batch = { statement, scope, waiting: [one] };
      open.set(name, opened);
      setImmediate(() => {
        if (open.get(name) === opened) open.delete(name);
        void send(opened);
      });
      return;
    }
    batch.waiting.push(one);
    if (batch.waiting.length === ROWS_AT_MOST) open.delete(name);
  }

  return <Row extends object>(statement: Statement, row: GatheredRow, scope: readonly Cell[] = []) =>
    new Promise<Row | undefined>((resolve, reject) =>
      join(statement, scope, { row, resolve: resolve as Waiting["resolve"], reject }),
    );
}

/** In a transaction, a row has the statement for itself. */
export function gatherOne(run: Run): Gather {
  return async <Row extends object>(statement: Statement, row: GatheredRow, scope: readonly Cell[] = []) =>
    (await runForRows(run, statement, [row], scope)).get(1) as Row | undefined;
}

async function runForRows(
  run: Run,
  statement: Statement,
  rows: readonly GatheredRow[],
  scope: readonly Cell[],
): Promise<ReadonlyMap<number, Placed>> {
  const columns = (rows[0] ?? []).map((_, column) => columnOf(rows.map((row) => row[column] ?? null)));
  const answers = await run(statement, [...scope, ...columns]);
  return new Map(answers.map((answer) => [answer.place, answer]));
}

function columnOf(values: GatheredRow): Cell | readonly Cell[] {
  return values.some((value) => typeof value === "object" && value !== null)
    ? JSON.stringify(values)
    : (values as readonly Cell[]);
}
