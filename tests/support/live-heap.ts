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
  const timer = setInterval(() => {
    most = Math.max(most, live());
  }, 100);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return (most - before) / 1_000_000;
}
