const LONGEST_MS = 5_000;

/** Twice as long each time, and never the same for two callers: who failed together does not come back together. */
export function backoff(attempt: number, firstMs: number): number {
  const whole = Math.min(LONGEST_MS, firstMs * 2 ** attempt);
  return whole / 2 + (Math.random() * whole) / 2;
}

/** What `Retry-After` says, in milliseconds: seconds, or a date. */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }, ms);
    if (signal?.aborted === true) aborted();
    else signal?.addEventListener("abort", aborted, { once: true });
  });
}
