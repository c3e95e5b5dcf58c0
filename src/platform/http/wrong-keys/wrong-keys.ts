import { Refusal } from "../../kernel/refusal.ts";
import { networkOf } from "./network-of.ts";
import { createRateLimiter } from "./rate-limit.ts";

/** Enough for a script that runs with an old key for a while, and far too few to guess one. */
const PER_SECOND = 1;
const IN_A_BURST = 200;

/** Counts one more wrong API key from an address, and refuses with 429 when there were too many. */
export type CountWrongKey = (address: string) => void;

/** By node and by network. A right key is served all the same: the key is looked at first. */
export function createWrongKeyCounter(now: () => number): CountWrongKey {
  const limiter = createRateLimiter(PER_SECOND, now, IN_A_BURST);
  return (address) => {
    const { allowed, reset } = limiter.take(networkOf(address));
    if (!allowed) throw new Refusal([{ code: "header_api_key_throttled", wait: reset * 1000 }]);
  };
}
