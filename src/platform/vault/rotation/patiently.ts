import { sqlState } from "../../db/database.ts";

const LOCK_TIMED_OUT = "55P03";
const TRIES = 8;

/** Again when somebody holds on to a key in a long transaction; it will end. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) !== LOCK_TIMED_OUT || tries === TRIES) throw error;
    }
  }
}
