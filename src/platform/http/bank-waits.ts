import { AsyncLocalStorage } from "node:async_hooks";

/** How many banks a request waits for at this moment. */
export type BankWaits = { banks: number };

const current = new AsyncLocalStorage<BankWaits>();

/** Runs the work of a request. It is carried along beside the calls, because any verb may call a bank. */
export function countingBankWaits<Result>(waits: BankWaits, work: () => Result): Result {
  return current.run(waits, work);
}

/** Counts the wait for a bank, if a request waits: the work of a job belongs to none. */
export async function waitingForBank<Result>(answer: Promise<Result>): Promise<Result> {
  const waits = current.getStore();
  if (waits === undefined) return answer;
  waits.banks += 1;
  try {
    return await answer;
  } finally {
    waits.banks -= 1;
  }
}
