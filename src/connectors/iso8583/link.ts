import { type Connection, openConnection } from "./connection.ts";
import { type Dialect, type IsoMessage, MessageError } from "./dialect.ts";
import { createInFlight, type Exchange } from "./in-flight.ts";
import { buildNetworkMessage, type NetworkCode, type Terminal } from "./messages.ts";
import { answerToHost, isFromHost, networkProblem } from "./network-messages.ts";
import type { Iso8583Settings } from "./settings.ts";
import type { Trace } from "./trace.ts";

/** Opening a link beyond this is a failure, however long the host may take for an answer. */
const CONNECT_MS = 10_000;
/**
 * A link that failed a moment ago fails again at once, for at least this long and for as long as the failure took: a dead
 * host does not make every payment wait.
 */
const FAIL_FAST_MS = 250;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
const SIGN_OFF_MS = 2_000;

export type LinkState = "closed" | "opening" | "up";

export type LinkEvents = {
  /** An answer that no message in flight waits for: late, doubled, or for another process. */
  readonly onUnmatched: (message: IsoMessage) => void;
  readonly onUnreadable: (reason: string) => void;
  /** The host asks for what the gateway does not do. */
  readonly onRefused: (message: IsoMessage) => void;
  readonly onState: (state: LinkState, reason: string) => void;
};

export type LinkParts = {
  readonly settings: Iso8583Settings;
  readonly dialect: Dialect;
  readonly nextTrace: () => Promise<Trace>;
  readonly events: LinkEvents;
};

export type ExchangeOptions = {
  /** By then (on the clock of `performance`) the first byte has left, or surely none will. */
  readonly sendBy?: number;
  /** How long to wait for the answer, if shorter than the account's time. */
  readonly withinMs?: number;
  readonly signal?: AbortSignal;
};

/** The persistent link of one account to its host. It opens when it is needed first, or earlier, and then stays open. */
export type Link = {
  /** Sends a message and waits for its answer. Never throws for a reason of the host or the network. */
  readonly exchange: (message: IsoMessage, options?: ExchangeOptions) => Promise<Exchange>;
  /** Opens the link if it is not open. Undefined when it is up, else the reason. */
  readonly open: () => Promise<string | undefined>;
  readonly echo: () => Promise<Exchange>;
  readonly state: () => LinkState;
  /** Waits for messages in flight, signs off and closes for good. */
  readonly close: () => Promise<void>;
  /** Closes for good at once: messages in flight end as on a broken link. */
  readonly abort: () => Promise<void>;
};

export function createLink({ settings, dialect, nextTrace, events }: LinkParts): Link {
  const responseMs = settings.responseSeconds * 1_000;
  const terminal: Terminal = settings;
  const inFlight = createInFlight(settings.maximumInFlight);
  let connection: Connection | undefined;
  let isUp = false;
  let isStopped = false;
  let opening: Promise<string | undefined> | undefined;
  let failed: { readonly reason: string; readonly until: number } | undefined;
  let failures = 0;
  let lastHeard = 0;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let echoTimer: NodeJS.Timeout | undefined;

  function receive(message: IsoMessage): void {
    lastHeard = performance.now();
    if (isFromHost(message)) answerHost(message);
    else if (!inFlight.settle(message)) events.onUnmatched(message);
  }

  /** Hosts may test the link from their side, or end it. */
  function answerHost(message: IsoMessage): void {
    const { answer, isFollowed, isSignOff } = answerToHost(message);
    const asked = connection;
    if (!isFollowed) events.onRefused(message);
    try {
      asked?.write(answer);
    } catch {
      events.onUnreadable("a network message of the host cannot be answered");
    }
    if (!isSignOff || asked === undefined) return;
    // It takes no payment until the gateway signs on again, but may still answer those in flight.
    leave(asked, "the host signed off");
    setTimeout(() => asked.close("the host signed off"), responseMs).unref();
  }

  function lose(lost: Connection | undefined, reason: string): void {
    if (connection === lost) inFlight.failAll(reason);
    leave(lost, reason);
  }

  function leave(left: Connection | undefined, reason: string): void {
    if (connection !== left) return;
    connection = undefined;
    clearTimeout(echoTimer);
    if (isUp) events.onState("closed", reason);
    isUp = false;
    if (!isStopped && opening === undefined) reconnectLater();
  }

  function reconnectLater(): void {
    clearTimeout(reconnectTimer);
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    reconnectTimer = setTimeout(() => void open(), pause * (0.75 + Math.random() / 2));
    reconnectTimer.unref();
  }

  function open(): Promise<string | undefined> {
    if (isUp) return Promise.resolve(undefined);
    if (isStopped) return Promise.resolve("the link is stopped");
    if (failed !== undefined && performance.now() < failed.until) return Promise.resolve(failed.reason);
    opening ??= connectAndSignOn().finally(() => {
      opening = undefined;
      if (!isUp && !isStopped) reconnectLater();
    });
    return opening;
  }

  async function connectAndSignOn(): Promise<string | undefined> {
    clearTimeout(reconnectTimer);
    events.onState("opening", "");
    const began = performance.now();
    const reason = await tryToOpen();
    if (reason === undefined) {
      failures = 0;
      failed = undefined;
      isUp = true;
      events.onState("up", "");
      echoLater();
      return undefined;
    }
    failures += 1;
    const ended = performance.now();
    failed = { reason, until: ended + Math.max(FAIL_FAST_MS, ended - began) };
    const lost = connection;
    connection = undefined;
    lost?.close(reason);
    events.onState("closed", reason);
    return reason;
  }

  async function tryToOpen(): Promise<string | undefined> {
    let opened: Connection | undefined;
    try {
      opened = await openConnection(settings, dialect, Math.min(responseMs, CONNECT_MS), {
        onMessage: receive,
        onUnreadable: events.onUnreadable,
        onClose: (reason) => lose(opened, reason),
      });
      if (isStopped) {
        opened.close("stopped");
        return "the link is stopped";
      }
      connection = opened;
      lastHeard = performance.now();
      if (!settings.signOn) return undefined;
      const problem = networkProblem("sign-on", await sendNetwork("sign-on", responseMs));
      if (problem !== undefined) return problem;
      return connection === opened ? undefined : "the host closed the link after sign-on";
    } catch (error) {
      return error instanceof Error ? error.message : "the link cannot be opened";
    }
  }

  async function sendNetwork(code: NetworkCode, withinMs: number): Promise<Exchange> {
    return sendNow(buildNetworkMessage(terminal, await nextTrace(), code), { withinMs });
  }

  type SendOptions = { readonly withinMs: number; readonly signal?: AbortSignal | undefined };

  function sendNow(message: IsoMessage, options: SendOptions): Promise<Exchange> {
    const sending = connection;
    if (sending === undefined) return Promise.resolve({ kind: "not_sent", reason: "the link is down" });
    return inFlight.track(message, options, () => {
      const isWritten = sending.write(message);
      if (!isWritten) lose(sending, "the link was closed");
      return isWritten;
    });
  }

  function echoLater(): void {
    clearTimeout(echoTimer);
    const idle = performance.now() - lastHeard;
    echoTimer = setTimeout(() => void echoIfIdle(), Math.max(settings.echoSeconds * 1_000 - idle, 10));
    echoTimer.unref();
  }

  async function echoIfIdle(): Promise<void> {
    const probed = connection;
    if (!isUp || probed === undefined) return;
    if (performance.now() - lastHeard >= settings.echoSeconds * 1_000 - 10) {
      try {
        const echoed = await echo();
        const problem = echoed.kind === "not_sent" ? undefined : networkProblem("echo", echoed);
        if (problem !== undefined) probed.close(problem);
      } catch {
        // No trace number: the database is unavailable. The next echo comes in its time.
        lastHeard = performance.now();
      }
    }
    if (isUp && connection === probed) echoLater();
  }

  /** Takes one of the places for outstanding messages while `send` runs. */
  async function inPlace(
    send: () => Promise<Exchange>,
    waitMs = responseMs,
    signal?: AbortSignal,
  ): Promise<Exchange> {
    const full = await inFlight.room(waitMs, signal);
    if (full !== undefined) return { kind: "not_sent", reason: full };
    try {
      return await send();
    } catch (error) {
      // It was thrown while the message was written down, before the first byte.
      if (error instanceof MessageError) return { kind: "not_sent", reason: error.message };
      throw error;
    } finally {
      inFlight.leave();
    }
  }

  const echo = () => inPlace(() => sendNetwork("echo", responseMs));

  function stop(): void {
    isStopped = true;
    clearTimeout(reconnectTimer);
    clearTimeout(echoTimer);
  }

  async function drop(): Promise<void> {
    connection?.close("stopped");
    await opening;
    await inFlight.empty();
    isUp = false;
    connection = undefined;
  }

  return {
    exchange: (message, { sendBy = performance.now() + responseMs, withinMs = responseMs, signal } = {}) => {
      const send = async (): Promise<Exchange> => {
        const reason = await within(sendBy - performance.now(), open(), "the link was not open in time");
        if (reason !== undefined) return { kind: "not_sent", reason };
        // A process that stalled: the request may have been reversed already.
        if (performance.now() >= sendBy) return { kind: "not_sent", reason: "too late to send it" };
        return sendNow(message, { withinMs, signal });
      };
      return inPlace(send, Math.max(sendBy - performance.now(), 0), signal);
    },
    open,
    echo,
    state: () => (isUp ? "up" : opening === undefined ? "closed" : "opening"),
    close: async () => {
      if (isStopped) return;
      stop();
      await inFlight.empty();
      // A sign-on that nothing waits for any more ends with the connection.
      if (isUp && settings.signOn) {
        await sendNetwork("sign-off", Math.min(responseMs, SIGN_OFF_MS)).catch(() => {});
      }
      await drop();
    },
    abort: async () => {
      stop();
      await drop();
    },
  };
}

async function within<Value>(ms: number, work: Promise<Value>, otherwise: Value): Promise<Value> {
  const { promise, resolve } = Promise.withResolvers<Value>();
  const timer = setTimeout(() => resolve(otherwise), Math.max(ms, 0));
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
