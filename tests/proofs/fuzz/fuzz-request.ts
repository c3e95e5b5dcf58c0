export type FuzzRequest = {
  readonly operationId: string;
  readonly method: string;
  /** As it is sent, with the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** Names and values as they were before they were encoded. */
  readonly query: readonly Pair[];
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
};

export type Pair = readonly [name: string, value: string];

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
export type Body = Record<string, any>;
