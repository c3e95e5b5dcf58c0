import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** By how many megabytes the live objects of this process grow, at most, while the work runs. */
export async function heapGrowth(work: () => Promise<unknown>): Promise<number> {
  const live = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = live();
  let most = before;
  let timer: NodeJS.Timeout | undefined;
  // Collecting takes a fifth of the time at most: on a busy machine the work would get none.
  const measureAfter = (ms: number) => {
    timer = setTimeout(() => {
      const begun = performance.now();
      most = Math.max(most, live());
      measureAfter(Math.max(100, 4 * (performance.now() - begun)));
    }, ms);
  };
  measureAfter(100);
  try {
    await work();
  } finally {
    clearTimeout(timer);
  }
  return (most - before) / 1_000_000;
}
