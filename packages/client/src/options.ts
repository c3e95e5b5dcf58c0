export type TidegateOptions = {
  /** A merchant's API key. It belongs on a server, never in a page. Undefined is refused: a variable was not set. */
  readonly apiKey: string | undefined;
  /** Where the API is. */
  readonly baseUrl?: string | undefined;
  /** For one try, from the first byte sent to the last one read. 30 seconds unless told. */
  readonly timeoutMs?: number | undefined;
  /** Tries after the first. 4 unless told; 0 for none. */
  readonly maxRetries?: number | undefined;
  /** For a call with all its tries. 90 seconds unless told. */
  readonly giveUpAfterMs?: number | undefined;
  /** The first pause between tries; the next are twice as long each, up to 5 seconds. 250 unless told. */
  readonly backoffMs?: number | undefined;
  /** Another `fetch`, to go through a proxy of yours. */
  readonly fetch?: typeof globalThis.fetch | undefined;
};

/** What one call may have its own way. */
export type CallOptions = {
  /** Your own, where you keep it: 1 to 255 visible ASCII characters. Made for you otherwise, once per call. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly giveUpAfterMs?: number | undefined;
};

export type Settings = {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly giveUpAfterMs: number;
  readonly backoffMs: number;
  readonly fetch: typeof globalThis.fetch;
};

const VISIBLE = /^[\x21-\x7e]+$/;

export function settingsOf(options: TidegateOptions): Settings {
  // `fetch` itself would name a bad header's value in its error.
  if (typeof options.apiKey !== "string" || !VISIBLE.test(options.apiKey)) {
    throw new TypeError("apiKey is missing, or holds characters that no key has");
  }
  return {
    apiKey: options.apiKey,
    baseUrl: addressOf(options.baseUrl ?? "http://localhost:4000"),
    timeoutMs: amountOf("timeoutMs", options.timeoutMs, 30_000),
    maxRetries: amountOf("maxRetries", options.maxRetries, 4),
    giveUpAfterMs: amountOf("giveUpAfterMs", options.giveUpAfterMs, 90_000),
    backoffMs: amountOf("backoffMs", options.backoffMs, 250),
    fetch: options.fetch ?? globalThis.fetch,
  };
}

/** The settings for one call. */
export function settingsFor(settings: Settings, options: CallOptions): Settings {
  const { idempotencyKey } = options;
  if (idempotencyKey !== undefined && (idempotencyKey.length > 255 || !VISIBLE.test(idempotencyKey))) {
    throw new TypeError("idempotencyKey is 1 to 255 visible ASCII characters");
  }
  return {
    ...settings,
    timeoutMs: amountOf("timeoutMs", options.timeoutMs, settings.timeoutMs),
    maxRetries: amountOf("maxRetries", options.maxRetries, settings.maxRetries),
    giveUpAfterMs: amountOf("giveUpAfterMs", options.giveUpAfterMs, settings.giveUpAfterMs),
  };
}

function addressOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "") {
    throw new TypeError("baseUrl is an http or https address without credentials or a query");
  }
  return (url.origin + url.pathname).replace(/\/+$/, "");
}

function amountOf(name: string, given: number | undefined, standard: number): number {
  const amount = given ?? standard;
  if (!Number.isSafeInteger(amount) || amount < 0) throw new TypeError(`${name} is a whole number from 0`);
  return amount;
}
