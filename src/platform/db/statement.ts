/** One SQL statement. Its name is the name of the prepared statement, so one name must always mean the same text. */
export type Statement = {
  readonly name: string;
  readonly text: string;
  /** It writes an event or makes deliveries due: after its commit the deliverer wakes. */
  readonly emitsEvent: boolean;
  /**
   * The same statement for a database that is distributed by merchant, where the text above is not possible. False: it is
   * for one server alone.
   */
  readonly distributed?: string | false | undefined;
  /** Why it reads or writes rows of many merchants at once. Every other statement names its merchant. */
  readonly fanOut?: string | undefined;
};

type Options = {
  readonly emitsEvent?: boolean;
  readonly distributed?: string | false;
  readonly fanOut?: string;
};

const known = new Map<string, Statement>();

export function sql(name: string, text: string, options: Options = {}): Statement {
  const { emitsEvent = false, distributed, fanOut } = options;
  return register({ name, text, emitsEvent, distributed, fanOut });
}

/** Every statement is on record, for the checks of the schema. */
export function register(statement: Statement): Statement {
  known.set(statement.text, statement);
  return statement;
}

/** The statements of all modules that are loaded. */
export function listStatements(): readonly Statement[] {
  return [...known.values()];
}

/** One value of one row. Moments travel as ISO text. */
export type Cell = string | number | boolean | null;
