/** What is left of a key's allowance after one request. */
export type Allowance = {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Seconds until a refused request would be taken; for a taken one, until the bucket is full again. */
  readonly reset: number;
};

export type RateLimiter = { readonly take: (keyId: string) => Allowance; readonly perSecond: number };

type Bucket = { tokens: number; filledAt: number };

const BUCKETS_AT_MOST = 10_000;

/** A token bucket per API key: so many requests a second, twice that in a burst by default. `now` is in milliseconds. */
export function createRateLimiter(
  perSecond: number,
  now: () => number,
  size: number = perSecond * 2,
): RateLimiter {
  const buckets = new Map<string, Bucket>();

  const bucketOf = (keyId: string, moment: number): Bucket => {
    const known = buckets.get(keyId);
    if (known !== undefined) return known;
    // Keys exist only by the operator's hand, so in practice this bound is not reached.
    if (buckets.size >= BUCKETS_AT_MOST) buckets.clear();
    const bucket = { tokens: size, filledAt: moment };
    buckets.set(keyId, bucket);
    return bucket;
  };

  return {
    perSecond,
    take: (keyId) => {
      const moment = now();
      const bucket = bucketOf(keyId, moment);
      const elapsed = Math.max(0, moment - bucket.filledAt);
      bucket.tokens = Math.min(size, bucket.tokens + (elapsed * perSecond) / 1000);
      bucket.filledAt = moment;
      if (bucket.tokens < 1) {
        return { isAllowed: false, remaining: 0, reset: Math.ceil((1 - bucket.tokens) / perSecond) };
      }
      bucket.tokens -= 1;
      return {
        isAllowed: true,
        remaining: Math.floor(bucket.tokens),
        reset: Math.ceil((size - bucket.tokens) / perSecond),
      };
    },
  };
}
