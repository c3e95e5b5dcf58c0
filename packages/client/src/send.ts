import type { OriginalRequest, RefusedAnswer, TidegateCode } from "./errors.ts";
import { VERSION } from "./generated/api.ts";
import type { Settings } from "./options.ts";
import { retryAfter } from "./pause.ts";

/** A request as it is sent, the same on every attempt. */
export type Outgoing = {
  readonly method: string;
  /** Below the base URL, with the query. */
  readonly target: string;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
};

/** The outcome of one attempt. */
export type Outcome =
  | { readonly kind: "success"; readonly body: unknown }
  | { readonly kind: "refused"; readonly answer: RefusedAnswer; readonly retryAfterMs: number | undefined }
  | {
      readonly kind: "lost";
      readonly reason: "network" | "timeout" | "aborted";
      readonly cause: unknown;
      /** No connection was made, so the gateway has not seen the request. */
      readonly unseen: boolean;
    };

/** Makes one attempt. Never throws: a missing answer is an outcome, too. */
export async function send(
  settings: Settings,
  outgoing: Outgoing,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  if (signal?.aborted === true)
    return { kind: "lost", reason: "aborted", cause: signal.reason, unseen: true };
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(TOO_LATE), settings.timeoutMs);
  const abort = () => limit.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const response = await settings.fetch(settings.baseUrl + outgoing.target, {
      method: outgoing.method,
      headers: headersOf(settings, outgoing),
      ...(outgoing.body === undefined ? {} : { body: JSON.stringify(outgoing.body) }),
      // The API key must not follow a redirect.
      redirect: "manual",
      signal: limit.signal,
    });
    return read(response, await response.text());
  } catch (cause) {
    if (isAborted(signal)) return { kind: "lost", reason: "aborted", cause: signal?.reason, unseen: false };
    const reason = limit.signal.aborted ? "timeout" : "network";
    return { kind: "lost", reason, cause, unseen: reason === "network" && isUnseen(cause) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** A function, because the value changes while we wait. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

const TOO_LATE = new Error("the attempt timed out");

function headersOf({ apiKey }: Settings, { body, idempotencyKey }: Outgoing): Record<string, string> {
  return {
    "x-api-key": apiKey,
    accept: "application/json",
    "user-agent": `tidegate-client/${VERSION}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(idempotencyKey === undefined ? {} : { "x-idempotency-key": idempotencyKey }),
  };
}

function read(response: Response, text: string): Outcome {
  const { status, headers } = response;
  const json = headers.get("content-type")?.startsWith("application/json") === true;
  const body: unknown = json ? parsed(text) : text;
  if (status === 200) return { kind: "success", body };
  const { result, original } = (typeof body === "object" && body !== null ? body : {}) as ErrorBody;
  const answer = {
    status,
    mode: result?.mode,
    requestId: headers.get("x-request-id") ?? undefined,
    codes: Array.isArray(result?.codes) ? result.codes : [],
    original,
  };
  return { kind: "refused", answer, retryAfterMs: retryAfter(headers.get("retry-after"), Date.now()) };
}

type ErrorBody = {
  readonly result?: { readonly mode?: "sandbox" | "live"; readonly codes?: readonly TidegateCode[] };
  readonly original?: OriginalRequest;
};

/** Throws for an incomplete answer; `send` reports it as lost. */
function parsed(text: string): unknown {
  return JSON.parse(text);
}

/** Error codes of connections that were never made. Any other error may come after the request was read. */
const UNSEEN = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

function isUnseen(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return typeof code === "string" && UNSEEN.test(code);
}
