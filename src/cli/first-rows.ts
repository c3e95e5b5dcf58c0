export type FirstRows<Row> = {
  readonly rows: readonly Row[];
  /** Whether these are all. */
  readonly complete: boolean;
  readonly warnings: readonly string[];
};

/** What a command lists of rows that were read with the limit `atMost + 1`. */
export function firstRows<Row>(read: readonly Row[], atMost: number): FirstRows<Row> {
  const complete = read.length <= atMost;
  return { rows: read.slice(0, atMost), complete, warnings: incompleteWarnings(complete, atMost) };
}

export function incompleteWarnings(complete: boolean, atMost: number): readonly string[] {
  return complete ? [] : [`only the first ${atMost} are listed`];
}
