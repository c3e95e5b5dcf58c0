const LONGEST_MS = 5_000;

/** Doubles each time, with jitter, so that callers that failed together do not retry together. */
export function backoff(attempt: number, firstMs: number): number {
  const fullMs = Math.min(LONGEST_MS, firstMs * 2 ** attempt);
  return fullMs / 2 + (Math.random() * fullMs) / 2;
}

/** Parses `Retry-After` (seconds, or a date) into milliseconds. */
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
