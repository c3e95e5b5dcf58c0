export type TidegateOptions = {
  /** A merchant's API key. It belongs on a server, never in a page. Undefined (a variable that is not set) is refused. */
  readonly apiKey: string | undefined;
  /** The URL of the API. */
  readonly baseUrl?: string | undefined;
  /** For one attempt, from the first byte sent to the last one read. Default: 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first. Default: 4; 0 for none. */
  readonly maxRetries?: number | undefined;
  /** For a call with all its attempts; an attempt under way ends with it. Default: 90 seconds. */
  readonly giveUpAfterMs?: number | undefined;
  /** The first pause between attempts; each next one is twice as long, up to 5 seconds. Default: 250. */
  readonly backoffMs?: number | undefined;
  /** Another `fetch`, for example to use a proxy. */
  readonly fetch?: typeof globalThis.fetch | undefined;
};

/** Overrides for one call. */
export type CallOptions = {
  /** Your own key, if you store it: 1 to 255 visible ASCII characters. Otherwise generated, once per call. */
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
  // `fetch` itself would show a bad header's value in its error.
  if (typeof options.apiKey !== "string" || !VISIBLE.test(options.apiKey)) {
    throw new TypeError("apiKey is missing or contains invalid characters");
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
    throw new TypeError("idempotencyKey must be 1 to 255 visible ASCII characters");
  }
  return {
    ...settings,
    timeoutMs: amountOf("timeoutMs", options.timeoutMs, settings.timeoutMs),
    maxRetries: amountOf("maxRetries", options.maxRetries, settings.maxRetries),
    giveUpAfterMs: amountOf("giveUpAfterMs", options.giveUpAfterMs, settings.giveUpAfterMs),
  };
}

function addressOf(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "") {
    throw new TypeError("baseUrl must be an http or https URL without credentials or a query");
  }
  return (url.origin + url.pathname).replace(/\/+$/, "");
}

function amountOf(name: string, value: number | undefined, standard: number): number {
  const amount = value ?? standard;
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new TypeError(`${name} must be an integer of at least 0`);
  return amount;
}
