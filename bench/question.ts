export type BenchOptions = {
  /** How long each contender is measured, over all its slices. */
  readonly seconds: number;
  /** The number of pending deliveries, for questions about them. */
  readonly backlog: number;
  /** The number of rows, for questions about large tables. Undefined: the question's own. */
  readonly rows: number | undefined;
  /** Stops what a question has started, in reverse order, even after an interruption. */
  readonly stage: AsyncDisposableStack;
  /** Reports progress on the terminal. */
  readonly report: (line: string) => void;
};

export type Finding = {
  readonly lines: readonly string[];
  /** False if a goal was missed or the measurement is invalid. */
  readonly met: boolean;
  /** Not what its section has to show, such as fewer rows: for looking only. */
  readonly isPartial?: boolean;
  /** Lines for the README, which shows what matters most. */
  readonly summary?: readonly string[];
};

/** One question that `npm run bench` answers. It starts what it needs and writes nothing into the checkout. */
export type Question = {
  readonly name: string;
  readonly description: string;
  readonly answer: (options: BenchOptions) => Promise<Finding>;
};
