/** One line of a simulator's own book. Lines are only ever added. */
export type Entry = {
  readonly kind: string;
  /** What the line is about: our reference for it. */
  readonly reference: string;
  /** What it belongs to: the authorisation of a capture, the order of an authorisation. */
  readonly belongsTo: string | null;
  readonly amount: number;
  readonly facts: Readonly<Record<string, string>>;
};

/**
 * A simulator's book. It is kept apart from the gateway's tables, so that the two can be compared, and it outlives the
 * process, as a bank's would.
 */
export type Ledger = {
  /** Adds the line unless one of that kind with that reference is there; gives the one that counts. */
  readonly addOnce: (entry: Entry) => Promise<Entry>;
  readonly find: (kind: string, reference: string) => Promise<Entry | undefined>;
  readonly listBelongingTo: (belongsTo: string) => Promise<readonly Entry[]>;
};
