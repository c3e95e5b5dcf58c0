export type BenchOptions = {
  /** How long each contender is measured, all its slices together. */
  readonly seconds: number;
  /** How many deliveries wait, where a question is about that. */
  readonly backlog: number;
  /** How many transactions there are, where a question is about that. */
  readonly rows: number;
  /** What a question has started is ended through this, in reverse order, also after an interruption. */
  readonly stage: AsyncDisposableStack;
  /** Progress, for whoever waits at a terminal. */
  readonly say: (line: string) => void;
};

export type Finding = {
  readonly lines: readonly string[];
  /** False when a goal was missed or the measurement itself can't be trusted. */
  readonly met: boolean;
};

/** One question that `npm run bench` answers. It starts what it needs and writes nothing into the checkout. */
export type Question = {
  readonly name: string;
  readonly asks: string;
  readonly answer: (options: BenchOptions) => Promise<Finding>;
};
