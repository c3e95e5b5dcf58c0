import { sqlState } from "../../db/database.ts";

const LOCK_TIMED_OUT = "55P03";
const ATTEMPTS = 8;

/** Repeats the work while a long transaction holds a key; that transaction will end. */
export async function retryWhileLocked<T>(work: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) !== LOCK_TIMED_OUT || attempts === ATTEMPTS) throw error;
    }
  }
}
