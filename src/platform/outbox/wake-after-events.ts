import type { Database, Statement, Tx } from "../db/database.ts";

/** Whether a statement makes something due for delivery: by its text, so that no writer of events can be forgotten. */
const verdicts = new WeakMap<Statement, boolean>();

function makesDue(statement: Statement): boolean {
  const known = verdicts.get(statement);
  if (known !== undefined) return known;
  const verdict = /insert into events\b/.test(statement.text) || statement.name.startsWith("delivery_ask_");
  verdicts.set(statement, verdict);
  return verdict;
}

/** The same database; `told` is called after each commit that wrote events, so that nobody waits for a poll. */
export function wakeAfterEvents(db: Database, told: () => void): Database {
  return {
    ...db,
    rows: async (statement, parameters) => {
      const rows = await db.rows(statement, parameters);
      if (makesDue(statement)) told();
      return rows as never;
    },
    gather: async (statement, row) => {
      const written = await db.gather(statement, row);
      if (makesDue(statement)) told();
      return written;
    },
    transaction: async (work) => {
      let due = false;
      const result = await db.transaction((tx) => {
        const watched: Tx = {
          rows: (statement, parameters) => {
            due ||= makesDue(statement);
            return tx.rows(statement, parameters);
          },
        };
        return work(watched);
      });
      if (due) told();
      return result;
    },
  };
}
