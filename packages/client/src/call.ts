import { randomUUID } from "node:crypto";
import { TidegateConnectionError, TidegateError } from "./errors.ts";
import { OPERATIONS, type Operations } from "./generated/api.ts";
import { type CallOptions, type Settings, settingsFor } from "./options.ts";
import { backoff, pause } from "./pause.ts";
import { type Recovery, recover } from "./recover.ts";
import { type Outcome, send } from "./send.ts";
import { targetOf } from "./target.ts";

export type OperationName = keyof Operations;

/** What goes into a call, beside its options. */
export type Ask<Name extends OperationName> = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Operations[Name]["query"] | undefined;
  readonly body?: Operations[Name]["body"] | undefined;
  /** Of every call that changes something. */
  readonly recovery?: Recovery<Name>;
};

export type Call = <Name extends OperationName>(
  name: Name,
  ask: Ask<Name>,
  options?: CallOptions,
) => Promise<Operations[Name]["answer"]>;

/** Gives the one function through which every call goes. */
export function callsOf(settings: Settings): Call {
  return async (name, { params = {}, query, body, recovery }, options = {}) => {
    const { method, path } = OPERATIONS[name];
    const target = targetOf(path, params, query ?? {});
    return perform({ settings: settingsFor(settings, options), method, target, body, recovery, options });
  };
}

type Task = {
  readonly settings: Settings;
  readonly method: string;
  readonly target: string;
  readonly body?: unknown;
  readonly recovery?: Recovery | undefined;
  readonly options: CallOptions;
};

/**
 * Tries until there is an answer, the tries are used up, or the time is over. What changes something goes out under one
 * idempotency key on every try, so that it is done once, whichever of the tries arrived.
 */
async function perform<Answer>(task: Task): Promise<Answer> {
  const { settings, method, target, body, recovery, options } = task;
  const { signal } = options;
  const changes = method !== "GET";
  const endsAt = performance.now() + settings.giveUpAfterMs;
  // A read may stand for the answer of a change: then the key is the change's, for whoever gets the error.
  let key = options.idempotencyKey ?? (changes ? randomUUID() : undefined);
  let unknown = false;
  let tries = 0;
  for (let pauses = 0; ; pauses += 1) {
    const sent = { method, target, body, idempotencyKey: changes ? key : undefined };
    const outcome = await send(settings, sent, signal);
    if (outcome.kind === "success") return outcome.body as Answer;
    unknown ||= changes && mayHaveBeenDone(outcome);
    let pauseMs: number | undefined;
    if (isRepeat(outcome)) {
      const found = recover(outcome.answer, recovery, options.idempotencyKey !== undefined);
      if (found.kind === "answer") return found.body as Answer;
      if (found.kind === "read") {
        const left = { ...settings, giveUpAfterMs: Math.max(0, endsAt - performance.now()) };
        return perform({
          settings: left,
          method: "GET",
          target: found.target,
          options: { ...options, idempotencyKey: key },
        });
      }
      // A repeat is how one asks for the first request, and does nothing else: it is no further try.
      if (found.kind === "working") pauseMs = backoff(pauses, settings.backoffMs);
      unknown = found.kind === "working";
      if (found.kind === "again" && tries < settings.maxRetries) {
        key = randomUUID();
        tries += 1;
        pauseMs = 0;
      }
    } else if (isPassing(outcome) && tries < settings.maxRetries) {
      tries += 1;
      pauseMs = Math.max(askedPause(outcome), backoff(pauses, settings.backoffMs));
    }
    const fate = { idempotencyKey: key, outcomeUnknown: unknown };
    if (pauseMs === undefined || performance.now() + pauseMs > endsAt) throw failure(outcome, fate);
    await pause(pauseMs, signal).catch((cause: unknown) => {
      throw new TidegateConnectionError("aborted", cause, fate);
    });
  }
}

/** What `Retry-After` asks for. */
function askedPause(outcome: Failed): number {
  return (outcome.kind === "refused" ? outcome.retryAfterMs : undefined) ?? 0;
}

type Failed = Exclude<Outcome, { readonly kind: "success" }>;
type Refused = Extract<Outcome, { readonly kind: "refused" }>;

function isRepeat(outcome: Failed): outcome is Refused {
  return outcome.kind === "refused" && outcome.answer.codes.some(({ id }) => id === "V10018");
}

/** Statuses that pass by themselves. A 500 does not: it is a fault, or a domain that failed its check. */
const PASSING = new Set([429, 502, 503, 504]);

function isPassing(outcome: Failed): boolean {
  return outcome.kind === "refused" ? PASSING.has(outcome.answer.status) : outcome.reason !== "aborted";
}

/** A commit whose answer was lost looks like any fault of a server. What is refused was not done. */
function mayHaveBeenDone(outcome: Failed): boolean {
  return outcome.kind === "refused" ? outcome.answer.status >= 500 : !outcome.unseen;
}

function failure(
  outcome: Failed,
  fate: { readonly idempotencyKey: string | undefined; readonly outcomeUnknown: boolean },
): Error {
  return outcome.kind === "refused"
    ? new TidegateError(outcome.answer, fate)
    : new TidegateConnectionError(outcome.reason, outcome.cause, fate);
}
