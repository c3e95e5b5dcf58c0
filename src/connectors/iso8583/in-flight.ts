import type { IsoMessage } from "./dialect.ts";

/** What became of a message. */
export type Exchange =
  | { readonly kind: "answered"; readonly answer: IsoMessage }
  /** The host surely did not receive it. */
  | { readonly kind: "not_sent"; readonly reason: string }
  /** The host may have received it. */
  | { readonly kind: "unanswered"; readonly reason: string };

export type TrackOptions = { readonly withinMs: number; readonly signal?: AbortSignal | undefined };

/** The messages of one link that wait for their answers. */
export type InFlight = {
  /** Waits until fewer than the maximum are outstanding, and takes a place. A reason when there is none in time. */
  readonly room: (withinMs: number, signal?: AbortSignal) => Promise<string | undefined>;
  /** Gives the place back. */
  readonly leave: () => void;
  /** Writes a message and waits for its answer. `write` returns false when no byte has left. */
  readonly track: (message: IsoMessage, options: TrackOptions, write: () => boolean) => Promise<Exchange>;
  /** Gives an answer to the message that waits for it. False: none does. */
  readonly settle: (answer: IsoMessage) => boolean;
  readonly failAll: (reason: string) => void;
  /** Resolves when no place is taken any more. */
  readonly empty: () => Promise<void>;
};

type Waiting = { readonly request: IsoMessage; readonly end: (exchange: Exchange) => void };

export function createInFlight(maximum: number): InFlight {
  const waiting = new Map<string, Waiting>();
  const queue: (() => void)[] = [];
  const empties: (() => void)[] = [];
  let taken = 0;

  function leave(): void {
    const next = queue.shift();
    // The place goes to the next in the queue, so that no newcomer overtakes it.
    if (next === undefined) taken -= 1;
    else next();
    if (taken === 0) for (const resolve of empties.splice(0)) resolve();
  }

  return {
    room: async (withinMs, signal) => {
      if (signal?.aborted) return "the caller gave up before it was sent";
      if (taken < maximum) {
        taken += 1;
        return undefined;
      }
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      const enter = () => resolve(undefined);
      const giveUp = (reason: string) => () => {
        const at = queue.indexOf(enter);
        if (at >= 0) queue.splice(at, 1);
        if (at >= 0) resolve(reason);
      };
      const abort = giveUp("the caller gave up before it was sent");
      queue.push(enter);
      const timer = setTimeout(giveUp(`${maximum} messages are outstanding already`), withinMs);
      signal?.addEventListener("abort", abort, { once: true });
      const reason = await promise;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      return reason;
    },
    leave,
    track: async (request, { withinMs, signal }, write) => {
      const stan = request.fields[11] ?? "";
      if (signal?.aborted) return { kind: "not_sent", reason: "the caller gave up before it was sent" };
      // A reversal and its repeat have the same number; only one of them waits at a time.
      if (waiting.has(stan))
        return { kind: "not_sent", reason: "a message with this trace number is in flight" };
      const { promise, resolve } = Promise.withResolvers<Exchange>();
      const abort = () => resolve({ kind: "unanswered", reason: "the caller gave up waiting" });
      const timer = setTimeout(
        () => resolve({ kind: "unanswered", reason: `no answer within ${withinMs} ms` }),
        withinMs,
      );
      signal?.addEventListener("abort", abort, { once: true });
      const entry = { request, end: resolve };
      waiting.set(stan, entry);
      try {
        if (!write()) return { kind: "not_sent", reason: "the link was down before the first byte" };
        return await promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        if (waiting.get(stan) === entry) waiting.delete(stan);
      }
    },
    settle: (answer) => {
      const found = waiting.get(answer.fields[11] ?? "");
      if (found === undefined || !isAnswerTo(found.request, answer)) return false;
      found.end({ kind: "answered", answer });
      waiting.delete(answer.fields[11] ?? "");
      return true;
    },
    failAll: (reason) => {
      for (const { end } of waiting.values()) end({ kind: "unanswered", reason });
      waiting.clear();
    },
    empty: async () => {
      if (taken === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      empties.push(resolve);
      await promise;
    },
  };
}

/** An answer belongs to a request by trace number, terminal and date. A host may leave terminal and date out. */
function isAnswerTo(request: IsoMessage, answer: IsoMessage): boolean {
  const same = (field: number, length?: number) => {
    const text = answer.fields[field]?.trim().slice(0, length);
    return text === undefined || text === request.fields[field]?.trim().slice(0, length);
  };
  return answer.type === answerType(request.type) && same(11) && same(41) && same(7, 4) && same(13);
}

/** 0200 is answered by 0210, 0420 and its repeat 0421 by 0430. */
export function answerType(type: string): string {
  return `${type.slice(0, 2)}${Number(type.slice(2, 3)) + 1}0`;
}
