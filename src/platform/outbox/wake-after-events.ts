import type { Database, Tx } from "../db/database.ts";

/** The same database; `wake` is called after each commit that wrote events, so that deliveries need not wait for a poll. */
export function wakeAfterEvents(db: Database, wake: () => void): Database {
  return {
    ...db,
    rows: async (statement, parameters) => {
      const rows = await db.rows(statement, parameters);
      if (statement.emitsEvent) wake();
      return rows as never;
    },
    gather: async (statement, row, scope) => {
      const answer = await db.gather(statement, row, scope);
      if (statement.emitsEvent) wake();
      return answer as never;
    },
    transaction: async (work) => {
      let due = false;
      const result = await db.transaction((tx) => {
        const watched: Tx = {
          ...tx,
          rows: (statement, parameters) => {
            due ||= statement.emitsEvent;
            return tx.rows(statement, parameters);
          },
          gather: (statement, row, scope) => {
            due ||= statement.emitsEvent;
            return tx.gather(statement, row, scope);
          },
        };
        return work(watched);
      });
      if (due) wake();
      return result;
    },
  };
}
