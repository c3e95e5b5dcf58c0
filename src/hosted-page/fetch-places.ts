const AT_ONCE = 16;
const AT_ONCE_EACH = 4;
/** With those that are fetched, the pictures of a long page. */
const WAITING_EACH = 12;

type Line = { fetching: number; readonly waiting: (() => void)[] };

export type FetchPlaces = {
  /** False if there is no place, and none to wait for. */
  readonly enter: (merchantId: string) => Promise<boolean>;
  readonly leave: (merchantId: string) => void;
};

/** Places for fetches of this process. A merchant whose host is slow waits for its own places, and takes no others. */
export function createFetchPlaces(): FetchPlaces {
  const lines = new Map<string, Line>();
  let fetching = 0;
  return {
    enter: async (merchantId) => {
      const line = lines.get(merchantId) ?? { fetching: 0, waiting: [] };
      if (line.fetching === AT_ONCE_EACH) {
        if (line.waiting.length === WAITING_EACH) return false;
        await new Promise<void>((resolve) => line.waiting.push(resolve));
        return true;
      }
      if (fetching === AT_ONCE) return false;
      fetching += 1;
      line.fetching += 1;
      lines.set(merchantId, line);
      return true;
    },
    leave: (merchantId) => {
      const line = lines.get(merchantId);
      if (line === undefined) return;
      const next = line.waiting.shift();
      // It takes over the place.
      if (next !== undefined) return next();
      fetching -= 1;
      line.fetching -= 1;
      if (line.fetching === 0) lines.delete(merchantId);
    },
  };
}
