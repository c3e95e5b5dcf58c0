import { SECOND } from "../kernel/time.ts";

const AT_ONCE = 16;
const AT_ONCE_EACH = 4;
/** With those that are fetched, the pictures of the longest page. */
const WAITING_EACH = 46;
const WAITING_AT_MOST = 4 * WAITING_EACH;
/** With the fetch itself less than the time that a stop gives to what is in flight. */
const WAITS_AT_MOST = 10 * SECOND;

type Waiting = { readonly merchantId: string; readonly enter: () => void };

export type FetchPlaces = {
  /** Waits for a place. False if there is none in time, or if too many wait already. */
  readonly enter: (merchantId: string) => Promise<boolean>;
  readonly leave: (merchantId: string) => void;
};

/**
 * Places for fetches of this process. A free one goes to the merchant with the fewest: one whose host is slow delays the
 * others by a single fetch at most.
 */
export function createFetchPlaces(): FetchPlaces {
  const fetching = new Map<string, number>();
  const waiting: Waiting[] = [];
  let taken = 0;
  const placesOf = (merchantId: string): number => fetching.get(merchantId) ?? 0;

  function take(merchantId: string): void {
    taken += 1;
    fetching.set(merchantId, placesOf(merchantId) + 1);
  }

  function wait(merchantId: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const leaveLine = setTimeout(() => {
      waiting.splice(waiting.indexOf(one), 1);
      resolve(false);
    }, WAITS_AT_MOST);
    const one: Waiting = {
      merchantId,
      enter: () => {
        clearTimeout(leaveLine);
        resolve(true);
      },
    };
    waiting.push(one);
    return promise;
  }

  /** The index of the next one in `waiting`; -1 if none may enter. */
  function nextInLine(): number {
    const fewest = Math.min(...waiting.map(({ merchantId }) => placesOf(merchantId)));
    return fewest < AT_ONCE_EACH
      ? waiting.findIndex(({ merchantId }) => placesOf(merchantId) === fewest)
      : -1;
  }

  return {
    enter: async (merchantId) => {
      if (taken < AT_ONCE && placesOf(merchantId) < AT_ONCE_EACH) {
        take(merchantId);
        return true;
      }
      const own = waiting.filter((one) => one.merchantId === merchantId).length;
      return own < WAITING_EACH && waiting.length < WAITING_AT_MOST && wait(merchantId);
    },
    leave: (merchantId) => {
      taken -= 1;
      const left = placesOf(merchantId) - 1;
      if (left === 0) fetching.delete(merchantId);
      else fetching.set(merchantId, left);
      const index = nextInLine();
      const [next] = index === -1 ? [] : waiting.splice(index, 1);
      if (next === undefined) return;
      take(next.merchantId);
      next.enter();
    },
  };
}
