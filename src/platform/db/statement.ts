/** One SQL statement. Its name is the name of the prepared statement, so one name must always mean the same text. */
export type Statement = {
  readonly name: string;
  readonly text: string;
  /** It writes an event or makes deliveries due: after its commit the deliverer wakes. */
  readonly emitsEvent: boolean;
};

export function sql(name: string, text: string, { emitsEvent = false } = {}): Statement {
  return { name, text, emitsEvent };
}

/** One value of one row. Moments travel as ISO text. */
export type Cell = string | number | boolean | null;
