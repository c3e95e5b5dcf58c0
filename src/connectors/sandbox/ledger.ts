/** One entry of a simulator's ledger. Entries are never changed or removed. */
export type Entry = {
  readonly kind: string;
  /** Our reference for what the entry is about. */
  readonly reference: string;
  /** What it belongs to: the authorisation of a capture, the payment request of an authorisation. */
  readonly belongsTo: string | null;
  readonly amount: number;
  readonly facts: Readonly<Record<string, string>>;
};

/**
 * A simulator's ledger. It is separate from the gateway's tables, so that the two can be compared, and it outlives the
 * process, as a bank's would.
 */
export type Ledger = {
  /** Adds the entry unless one of that kind with that reference exists; returns the one that counts. */
  readonly addOnce: (entry: Entry) => Promise<Entry>;
  readonly find: (kind: string, reference: string) => Promise<Entry | undefined>;
  readonly listBelongingTo: (belongsTo: string) => Promise<readonly Entry[]>;
};
