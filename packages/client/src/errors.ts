import type { CodeId } from "./generated/api.ts";

/** One problem; an error carries all of them at once. */
export type TidegateCode = {
  /** Letter and five digits, such as `V11101`. */
  readonly id: string;
  readonly message: string;
  /** One sentence that says what to do; its words may change. */
  readonly detail: string;
  /** Link to the code in the gateway's docs. */
  readonly docs: string;
  /** JSON pointer to the place in your request. */
  readonly field?: string;
  /** Present for totals that do not add up. */
  readonly expected?: number;
  readonly given?: number;
  /** Present for domains that could not be verified. */
  readonly domain?: string;
  readonly reason?: string;
};

/** What the first request with an idempotency key did. */
export type OriginalRequest = {
  readonly requestId: string;
  readonly status: "processing" | "done";
  readonly id: string | null;
  readonly location: string | null;
};

type CallContext = {
  /** The key of this call. Call again with it, and nothing happens twice. */
  readonly idempotencyKey: string | undefined;
  /** True: the request was or may have been carried out. Never true for a call that only reads. */
  readonly outcomeUnknown: boolean;
  /** What the client adds to the gateway's sentences. */
  readonly advice?: string;
  /** Where the gateway was looked for. */
  readonly baseUrl?: string;
};

/** The gateway refused the request or failed. A bank's decline is not an error: it is an answer. */
export class TidegateError extends Error {
  override readonly name = "TidegateError";
  /** The HTTP status. */
  readonly status: number;
  /** Identifies the request in the gateway's logs. */
  readonly requestId: string | undefined;
  readonly codes: readonly TidegateCode[];
  /** Present with `V10018` if the original answer could not be recovered: it can't be read again, or the gateway does not show the change. */
  readonly original: OriginalRequest | undefined;
  readonly idempotencyKey: string | undefined;
  readonly outcomeUnknown: boolean;

  constructor(answer: RefusedAnswer, context: CallContext) {
    super([messageOf(answer), context.advice].filter((part) => part !== undefined).join(". "));
    this.status = answer.status;
    this.requestId = answer.requestId;
    this.codes = answer.codes;
    this.original = answer.original;
    this.idempotencyKey = context.idempotencyKey;
    this.outcomeUnknown = context.outcomeUnknown;
  }

  /** Whether the answer has this code. */
  has(id: CodeId): boolean {
    return this.codes.some((code) => code.id === id);
  }
}

export type RefusedAnswer = {
  readonly status: number;
  readonly mode: "sandbox" | "live" | undefined;
  readonly requestId: string | undefined;
  readonly codes: readonly TidegateCode[];
  readonly original: OriginalRequest | undefined;
};

/** No answer arrived: the network failed, it took too long, or you aborted. */
export class TidegateConnectionError extends Error {
  override readonly name = "TidegateConnectionError";
  readonly reason: "network" | "timeout" | "aborted";
  /** To find out, call again with the same `idempotencyKey`. */
  readonly outcomeUnknown: boolean;
  readonly idempotencyKey: string | undefined;

  constructor(reason: TidegateConnectionError["reason"], cause: unknown, context: CallContext) {
    const where = reason === "network" ? placeOf(cause, context) : "";
    const doubt = context.outcomeUnknown ? "; the request may have been carried out" : "";
    super(`${MESSAGES[reason]}${where}${doubt}`, { cause });
    this.reason = reason;
    this.outcomeUnknown = context.outcomeUnknown;
    this.idempotencyKey = context.idempotencyKey;
  }
}

const MESSAGES = {
  network: "the gateway could not be reached",
  timeout: "the gateway did not answer in time",
  aborted: "the call was aborted",
};

/** The address is configuration, and a code of the system such as ECONNREFUSED says what is wrong with it. */
function placeOf(cause: unknown, { baseUrl }: CallContext): string {
  if (baseUrl === undefined) return "";
  const inner: unknown = cause instanceof Error ? (cause.cause ?? cause) : undefined;
  const code =
    inner instanceof Error && "code" in inner && typeof inner.code === "string" ? ` (${inner.code})` : "";
  return ` at ${baseUrl}${code}: check that it runs and that \`baseUrl\` is right`;
}

/** The message contains no value of the request: the gateway repeats none, and neither do we. */
function messageOf({ status, codes, requestId }: RefusedAnswer): string {
  const problems = codes.map(({ id, message, field, reason, detail }) => {
    const problem = [id, reason ?? message, field === undefined ? "" : `at ${field}`];
    return `${problem.filter((part) => part !== "").join(" ")}: ${detail}`;
  });
  const what = problems.length === 0 ? "no code" : problems.join(" ");
  return `the gateway answered ${status}: ${what}${requestId === undefined ? "" : ` (request ${requestId})`}`;
}
