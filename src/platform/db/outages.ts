import { type Instant, later, SECOND } from "../../kernel/time.ts";
import type { Log } from "../log/log.ts";

/** A server that is away is tried again, and mentioned in the log again, after this. */
const TRIED_AGAIN_AFTER = 5 * SECOND;

/**
 * For work of many merchants in a distributed database, one of whose servers may be away. Statements over all servers then
 * fail, and those about one merchant work for the merchants on the others.
 */
export type Outages = {
  /** Runs `all`; `instead` if a server is away, and while one was a moment ago: it may answer with silence. */
  readonly around: <Result>(
    all: () => Promise<Result>,
    instead: () => Promise<Result>,
    isAway: (error: unknown) => boolean,
  ) => Promise<Result>;
  /** Logs what could not be done, once every few seconds. */
  readonly note: (error: unknown) => void;
};

type Parts = { readonly now: () => Instant; readonly log: Pick<Log, "warn"> };

/** `says` is the line of the log. */
export function createOutages({ now, log }: Parts, says: string): Outages {
  let allAgainAt = now();
  let noteAgainAt = now();

  function note(error: unknown): void {
    if (now() < noteAgainAt) return;
    noteAgainAt = later(now(), TRIED_AGAIN_AFTER);
    log.warn({ error }, says);
  }

  return {
    note,
    around: async (all, instead, isAway) => {
      if (now() < allAgainAt) return instead();
      try {
        return await all();
      } catch (error) {
        if (!isAway(error)) throw error;
        note(error);
        allAgainAt = later(now(), TRIED_AGAIN_AFTER);
        return instead();
      }
    },
  };
}
