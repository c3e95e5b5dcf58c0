export type FirstRows<Row> = {
  readonly rows: readonly Row[];
  /** Whether these are all. */
  readonly isComplete: boolean;
  readonly warnings: readonly string[];
};

/** What a command lists of rows that were read with the limit `atMost + 1`. */
export function firstRows<Row>(read: readonly Row[], atMost: number): FirstRows<Row> {
  const isComplete = read.length <= atMost;
  return { rows: read.slice(0, atMost), isComplete, warnings: incompleteWarnings(isComplete, atMost) };
}

export function incompleteWarnings(isComplete: boolean, atMost: number): readonly string[] {
  return isComplete ? [] : [`only the first ${atMost} are listed`];
}
