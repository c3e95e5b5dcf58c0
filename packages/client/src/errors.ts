import type { CodeId } from "./generated/api.ts";

/** One thing that is wrong; all of them are told at once. */
export type TidegateCode = {
  /** Letter and five digits, such as `V11101`. */
  readonly id: string;
  readonly message: string;
  /** JSON pointer to the place in what you sent. */
  readonly field?: string;
  /** With totals that do not add up. */
  readonly expected?: number;
  readonly given?: number;
  /** With domains that could not be verified. */
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

type Fate = {
  /** The key under which this call was made. Call again with it and nothing happens twice. */
  readonly idempotencyKey: string | undefined;
  /** True: what you asked for may have been done. Never so for a call that only reads. */
  readonly outcomeUnknown: boolean;
};

/** The gateway answered, and the answer is no success. A bank's decline is none of these: it is an answer. */
export class TidegateError extends Error {
  override readonly name = "TidegateError";
  /** Of HTTP. */
  readonly status: number;
  /** Names the request in the gateway's logs. */
  readonly requestId: string | undefined;
  readonly codes: readonly TidegateCode[];
  /** With `V10018` where the original could not be given as the answer. */
  readonly original: OriginalRequest | undefined;
  readonly idempotencyKey: string | undefined;
  readonly outcomeUnknown: boolean;

  constructor(answer: RefusedAnswer, fate: Fate) {
    super(sentence(answer));
    this.status = answer.status;
    this.requestId = answer.requestId;
    this.codes = answer.codes;
    this.original = answer.original;
    this.idempotencyKey = fate.idempotencyKey;
    this.outcomeUnknown = fate.outcomeUnknown;
  }

  /** Whether this code is among those of the answer. */
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

/** No answer came: the network failed, it took too long, or you aborted. */
export class TidegateConnectionError extends Error {
  override readonly name = "TidegateConnectionError";
  readonly reason: "network" | "timeout" | "aborted";
  /** Find out with the same `idempotencyKey`: call again with it. */
  readonly outcomeUnknown: boolean;
  readonly idempotencyKey: string | undefined;

  constructor(reason: TidegateConnectionError["reason"], cause: unknown, fate: Fate) {
    super(`${SENTENCES[reason]}${fate.outcomeUnknown ? "; what was asked for may have been done" : ""}`, {
      cause,
    });
    this.reason = reason;
    this.outcomeUnknown = fate.outcomeUnknown;
    this.idempotencyKey = fate.idempotencyKey;
  }
}

const SENTENCES = {
  network: "the gateway could not be reached",
  timeout: "the gateway did not answer in time",
  aborted: "the call was aborted",
};

/** No value of the request is in it: the gateway repeats none, and neither do we. */
function sentence({ status, codes, requestId }: RefusedAnswer): string {
  const named = codes.map(({ id, message, field, reason }) =>
    [id, reason ?? message, field === undefined ? "" : `at ${field}`].filter((word) => word !== "").join(" "),
  );
  const what = named.length === 0 ? "no code was given" : named.join("; ");
  return `the gateway answered ${status}: ${what}${requestId === undefined ? "" : ` (request ${requestId})`}`;
}
