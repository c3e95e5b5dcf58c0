import { pino } from "pino";

/** What a log line may hold. Anything else is a type error here, so nothing secret can slip in. */
export type LogFields = {
  readonly requestId?: string;
  /** Of a line about several requests. */
  readonly requestIds?: readonly string[];
  readonly method?: string;
  /** The route's pattern, never the address itself. */
  readonly route?: string;
  readonly status?: number;
  readonly milliseconds?: number;
  /** The client's IP address. */
  readonly address?: string;
  readonly merchantId?: string;
  readonly keyId?: string;
  readonly server?: string;
  readonly job?: string;
  readonly subjectId?: string;
  readonly count?: number;
  readonly error?: unknown;
};

export type Log = {
  readonly debug: (fields: LogFields, message: string) => void;
  readonly info: (fields: LogFields, message: string) => void;
  readonly warn: (fields: LogFields, message: string) => void;
  readonly error: (fields: LogFields, message: string) => void;
};

/** One JSON object a line, to standard error: standard output is for people. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: timeOfLine,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
    },
    openDestination(),
  );
}

let timed = { moment: Number.NaN, text: "" };

/** Lines of the same millisecond share the text of their time, which took half the time of a line. */
function timeOfLine(): string {
  const moment = Date.now();
  if (timed.moment !== moment) timed = { moment, text: `,"time":"${new Date(moment).toISOString()}"` };
  return timed.text;
}

/** Bytes that may wait for standard error to take them; more are dropped. */
const WAITING_AT_MOST = 1024 * 1024;

/** Lines are written together, after this time or this many bytes: a system call for each took as long as an insert. */
const WRITTEN_EVERY_MS = 20;
const WRITTEN_FROM = 8_192;

/**
 * Standard error. When it can't be written to (its disk is full), lines are lost, and no more than that: without a
 * listener the process would end, and with one its end would wait for room on the disk.
 */
function openDestination() {
  const destination = pino.destination({
    dest: 2,
    sync: false,
    minLength: WRITTEN_FROM,
    maxLength: WAITING_AT_MOST,
  });
  const flushSync = destination.flushSync.bind(destination);
  destination.on("error", () => {
    destination.flushSync = () => {};
  });
  destination.on("write", () => {
    destination.flushSync = flushSync;
  });
  flushWhileWaiting(destination);
  return destination;
}

/** Its own periodic flush makes a system call every time, also when there is nothing to write. */
function flushWhileWaiting(destination: ReturnType<typeof pino.destination>): void {
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  const stopWhenDone = () => {
    if (waiting > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const write = destination.write.bind(destination);
  destination.write = (line) => {
    waiting += Buffer.byteLength(line);
    timer ??= setInterval(() => destination.flush(), WRITTEN_EVERY_MS).unref();
    return write(line);
  };
  destination.on("drop", (line: string) => {
    waiting -= Buffer.byteLength(line);
    stopWhenDone();
  });
  destination.on("write", (bytes: number) => {
    waiting -= bytes;
    stopWhenDone();
  });
}

/** Name, message and stack. An error of the database also has `detail` and `where`, which quote values: left out. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  return { name: error.name, message: error.message, ...code, stack: error.stack };
}
