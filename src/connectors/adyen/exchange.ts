import type { Dispatcher } from "undici";
import { SECOND } from "../../kernel/time.ts";
import { Agent } from "../../platform/egress/connections.ts";
import { type JsonObject, objectIn } from "./read-json.ts";
import type { AdyenSettings } from "./settings.ts";

/** What came of a call. */
export type Exchange = { readonly milliseconds: number } & (
  | {
      readonly outcome: "answered";
      readonly status: number;
      /** Undefined where the answer is no JSON object. */
      readonly body: JsonObject | undefined;
      /** Adyen did not process the call this time, or still works on an earlier one with the same key. */
      readonly isTransient: boolean;
    }
  /** Nothing of the call has left this machine. */
  | { readonly outcome: "unreached"; readonly reason: string }
  /** The call has left, and no answer came. */
  | { readonly outcome: "lost"; readonly reason: string }
);

export type Call = {
  readonly path: string;
  readonly body: object;
  /** Adyen answers a second call with the same key as it answered the first, for at least 31 days. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
};

export type AdyenHost = {
  readonly post: (call: Call) => Promise<Exchange>;
  /** Calls in flight end as lost. */
  readonly close: () => Promise<void>;
};

export type HostTimes = {
  /** A connection that takes longer has not come about: the call was not sent. */
  readonly connectMs: number;
  /** For the complete exchange, where the caller does not stop it earlier. */
  readonly exchangeMs: number;
};

/** More of an answer is not read; those of the calls that we make have a few kilobytes. */
const ANSWER_AT_MOST = 256 * 1024;

/** The connections to one account. They are opened by the first call and kept for the next. */
export function openHost(
  { endpoint, apiKey }: Pick<AdyenSettings, "endpoint" | "apiKey">,
  { connectMs, exchangeMs }: HostTimes,
): AdyenHost {
  const agent = new Agent({
    // The time limit covers the complete exchange: limits per part never end an answer that drips.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4 * SECOND,
    keepAliveMaxTimeout: 4 * SECOND,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: connectMs, autoSelectFamily: true },
  });
  const base = new URL(endpoint);
  const prefix = base.pathname.replace(/\/$/, "");
  return {
    post: async ({ path, body, idempotencyKey, signal }) =>
      exchange(
        agent,
        {
          origin: base.origin,
          path: prefix + path,
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json",
            "x-api-key": apiKey,
            "idempotency-key": idempotencyKey,
          },
          body: JSON.stringify(body),
        },
        AbortSignal.any([signal, AbortSignal.timeout(exchangeMs)]),
      ),
    close: () => agent.destroy(),
  };
}

type Answered = { status: number; isTransient: boolean; chunks: Buffer[]; size: number };

function exchange(agent: Agent, request: Dispatcher.DispatchOptions, signal: AbortSignal): Promise<Exchange> {
  const begun = performance.now();
  return new Promise((resolve) => {
    let connection: Dispatcher.DispatchController | undefined;
    let answer: Answered | undefined;
    let isOver = false;
    const finish = (result: Result) => {
      if (isOver) return;
      isOver = true;
      signal.removeEventListener("abort", stop);
      resolve({ ...result, milliseconds: Math.round(performance.now() - begun) });
    };
    const fail = (reason: string) =>
      finish({ outcome: connection === undefined ? "unreached" : "lost", reason });
    const leave = (reason: string) => {
      fail(reason);
      connection?.abort(new Error("the exchange is over"));
    };
    const stop = () => leave(isTimeout(signal.reason) ? "no answer in time" : "nothing waits for the answer");
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop);

    agent.dispatch(request, {
      // A connection is there, and the next thing is to write to it.
      onRequestStart: (controller) => {
        if (isOver) controller.abort(new Error("the exchange is over"));
        else connection = controller;
      },
      onResponseStart: (_controller, status, headers) => {
        // 1xx comes before the answer.
        if (status < 200) return;
        answer = { status, isTransient: headers["transient-error"] === "true", chunks: [], size: 0 };
      },
      onResponseData: (_controller, chunk) => {
        if (answer === undefined) return;
        answer.chunks.push(Buffer.from(chunk));
        answer.size += chunk.length;
        if (answer.size > ANSWER_AT_MOST) leave("the answer is too long");
      },
      onResponseEnd: () => {
        if (answer === undefined) return fail("the answer has no status");
        const { status, isTransient, chunks } = answer;
        finish({ outcome: "answered", status, isTransient, body: objectIn(Buffer.concat(chunks)) });
      },
      onResponseError: (_controller, error) => fail(reasonOf(error)),
    });
  });
}

type WithoutTime<Result> = Result extends unknown ? Omit<Result, "milliseconds"> : never;
type Result = WithoutTime<Exchange>;

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === "TimeoutError";
}

/** The code alone: the message of an error can quote what was sent. */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return error instanceof Error ? error.name : "error";
}
