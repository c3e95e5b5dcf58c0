import { randomUUID } from "node:crypto";
import { TidegateConnectionError, TidegateError } from "./errors.ts";
import { OPERATIONS, type Operations } from "./generated/api.ts";
import { type CallOptions, type Settings, settingsFor } from "./options.ts";
import { backoff, pause } from "./pause.ts";
import { type Recovery, recover } from "./recover.ts";
import { type Outcome, send } from "./send.ts";
import { targetOf } from "./target.ts";

export type OperationName = keyof Operations;

/** The input of a call, without its options. */
export type CallInput<Name extends OperationName> = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Operations[Name]["query"] | undefined;
  readonly body?: Operations[Name]["body"] | undefined;
  /** Set for every call that changes something. */
  readonly recovery?: Recovery<Name>;
};

export type Call = <Name extends OperationName>(
  name: Name,
  input: CallInput<Name>,
  options?: CallOptions,
) => Promise<Operations[Name]["answer"]>;

/** Returns the function that makes every call. */
export function callsOf(settings: Settings): Call {
  return async (name, { params = {}, query, body, recovery }, options = {}) => {
    const { method, path } = OPERATIONS[name];
    const target = targetOf(path, params, query ?? {});
    const call = {
      settings: settingsFor(settings, options),
      method,
      target,
      params,
      body,
      recovery,
      options,
    };
    return perform(call);
  };
}

type Task = {
  readonly settings: Settings;
  readonly method: string;
  readonly target: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly recovery?: Recovery | undefined;
  readonly options: CallOptions;
  /** A read in place of a change's lost answer: if it fails, its error says so and carries the change's key. */
  readonly isRecovery?: boolean;
};

/**
 * Retries until there is an answer, no attempt is left, or the time is over, which ends an attempt under way. Every attempt of a call that changes
 * something has the same idempotency key, so it is carried out once, whichever attempt arrives.
 */
async function perform<Answer>(task: Task): Promise<Answer> {
  const { settings, method, target, params = {}, body, recovery, options, isRecovery = false } = task;
  const { signal } = options;
  const changes = method !== "GET";
  const endsAt = performance.now() + settings.giveUpAfterMs;
  let key = options.idempotencyKey ?? (changes ? randomUUID() : undefined);
  let unknown = isRecovery;
  let retries = 0;
  for (let pauses = 0; ; pauses += 1) {
    const sent = { method, target, body, idempotencyKey: changes ? key : undefined };
    const timeoutMs = Math.min(settings.timeoutMs, Math.max(0, endsAt - performance.now()));
    const outcome = await send({ ...settings, timeoutMs }, sent, signal);
    if (outcome.kind === "success") return outcome.body as Answer;
    unknown ||= changes && mayHaveBeenDone(outcome);
    let pauseMs: number | undefined;
    if (isRepeat(outcome)) {
      const ownKey = options.idempotencyKey !== undefined;
      const recovered = recover(outcome.answer, { params, recovery, ownKey });
      if (recovered.kind === "read" || recovered.kind === "gone") {
        const left = { ...settings, giveUpAfterMs: Math.max(0, endsAt - performance.now()) };
        const reading = perform<Answer>({
          settings: left,
          method: "GET",
          target: recovered.kind === "gone" ? target : recovered.target,
          options: { ...options, idempotencyKey: key },
          isRecovery: true,
        });
        const context = { idempotencyKey: key, outcomeUnknown: false };
        if (recovered.kind === "gone") {
          if (await isMissing(reading)) return recovered.body as Answer;
          throw new TidegateError(outcome.answer, { ...context, advice: NOT_DELETED });
        }
        const answer = await reading;
        const { proof } = recovered;
        if (proof === undefined || proof.isGiven(answer as Operations[OperationName]["answer"]))
          return answer;
        throw new TidegateError(outcome.answer, { ...context, advice: proof.otherwise });
      }
      // A repeat only asks for the first request's state, so it does not count as a retry.
      if (recovered.kind === "working") pauseMs = backoff(pauses, settings.backoffMs);
      unknown = recovered.kind !== "other";
      if (recovered.kind === "again" && retries < settings.maxRetries) {
        key = randomUUID();
        retries += 1;
        pauseMs = 0;
      }
    } else if (isTemporary(outcome) && retries < settings.maxRetries) {
      retries += 1;
      pauseMs = Math.max(requestedPause(outcome), backoff(pauses, settings.backoffMs));
    }
    const context = { idempotencyKey: key, outcomeUnknown: unknown, baseUrl: settings.baseUrl };
    if (pauseMs === undefined || performance.now() + pauseMs > endsAt) throw failure(outcome, context);
    await pause(pauseMs, signal).catch((cause: unknown) => {
      throw new TidegateConnectionError("aborted", cause, context);
    });
    // A busy process can wake up late. An attempt without time would only make the outcome unknown.
    if (performance.now() >= endsAt) throw failure(outcome, context);
  }
}

const NOT_DELETED = "It is not deleted, so you used the key for something else: call again with a new key";

async function isMissing(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading;
    return false;
  } catch (error) {
    if (error instanceof TidegateError && error.status === 404) return true;
    throw error;
  }
}

/** The pause that `Retry-After` requests. */
function requestedPause(outcome: Failed): number {
  return (outcome.kind === "refused" ? outcome.retryAfterMs : undefined) ?? 0;
}

type Failed = Exclude<Outcome, { readonly kind: "success" }>;
type Refused = Extract<Outcome, { readonly kind: "refused" }>;

function isRepeat(outcome: Failed): outcome is Refused {
  return outcome.kind === "refused" && outcome.answer.codes.some(({ id }) => id === "V10018");
}

/** Statuses that a retry can resolve. A 500 is not one: it is a bug, or a domain that failed its check. */
const TEMPORARY = new Set([429, 502, 503, 504]);

function isTemporary(outcome: Failed): boolean {
  return outcome.kind === "refused" ? TEMPORARY.has(outcome.answer.status) : outcome.reason !== "aborted";
}

/** A commit whose answer was lost looks like any server error. A refused request was not carried out. */
function mayHaveBeenDone(outcome: Failed): boolean {
  return outcome.kind === "refused" ? outcome.answer.status >= 500 : !outcome.unseen;
}

function failure(outcome: Failed, context: ConstructorParameters<typeof TidegateConnectionError>[2]): Error {
  return outcome.kind === "refused"
    ? new TidegateError(outcome.answer, context)
    : new TidegateConnectionError(outcome.reason, outcome.cause, context);
}
