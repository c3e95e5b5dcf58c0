/** The progress of long work. */
export type Progress = { readonly done: number; readonly total: number; readonly what: string };

/** The operator's terminal. Results go to standard output, everything else to standard error. */
export type Terminal = {
  readonly json: boolean;
  /** Prints a line that is not part of the result. */
  readonly note: (line: string) => void;
  /** Prints a part of the result at once, for commands without an end or of many steps. Resolves when the reader has room. */
  readonly print: (line: string) => Promise<void>;
  /** Shows a bar on a terminal; elsewhere prints at most a line per second, and one at the end. */
  readonly progress: (progress: Progress) => void;
  /** Aborts on Ctrl-C, `SIGTERM`, or when standard output closes. A command that calls it must end then. */
  readonly interrupted: () => AbortSignal;
};

const BAR = 24;
const LINE_EVERY_MS = 1_000;

export function openTerminal(json: boolean): Terminal {
  const { stdout, stderr } = process;
  let last = 0;
  const bar = (progress: Progress) => {
    stderr.write(`\r${barOf(progress)}\u001b[K${progress.done < progress.total ? "" : "\n"}`);
  };
  const line = (progress: Progress) => {
    if (progress.done < progress.total && Date.now() - last < LINE_EVERY_MS) return;
    last = Date.now();
    console.error(`${progress.done} of ${progress.total} ${progress.what}`);
  };
  return {
    json,
    note: (text) => console.error(text),
    print: (text) => new Promise((resolve) => stdout.write(`${text}\n`, () => resolve())),
    progress: stderr.isTTY ? bar : line,
    interrupted: () => {
      const end = new AbortController();
      const stop = () => end.abort();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
      stdout.once("error", stop);
      return end.signal;
    },
  };
}

export function barOf({ done, total, what }: Progress): string {
  const share = total === 0 ? 1 : Math.min(done / total, 1);
  const full = Math.floor(share * BAR);
  const percent = `${Math.floor(share * 100)}`.padStart(3);
  return `[${"#".repeat(full)}${".".repeat(BAR - full)}] ${percent} %  ${done} of ${total} ${what}`;
}
