/** How far long work has come. */
export type Progress = { readonly done: number; readonly total: number; readonly what: string };

/** Where a running command meets whoever runs it. Its outcome goes to standard output, everything else to standard error. */
export type Terminal = {
  readonly json: boolean;
  /** A line beside the outcome. */
  readonly tell: (line: string) => void;
  /** A part of the outcome, at once: for commands that go on for as long as one likes. */
  readonly print: (line: string) => void;
  /** A bar on a terminal; elsewhere a line a second at the most, and one at the end. */
  readonly progress: (progress: Progress) => void;
  /** Ends with Ctrl-C, a `SIGTERM`, or when nobody reads on. Whoever asks for it has to heed it. */
  readonly interrupted: () => AbortSignal;
};

const BAR = 24;
const A_SECOND = 1_000;

export function openTerminal(json: boolean): Terminal {
  const { stdout, stderr } = process;
  let last = 0;
  const bar = (progress: Progress) => {
    stderr.write(`\r${barOf(progress)}\u001b[K${progress.done < progress.total ? "" : "\n"}`);
  };
  const line = (progress: Progress) => {
    if (progress.done < progress.total && Date.now() - last < A_SECOND) return;
    last = Date.now();
    console.error(`${progress.done} of ${progress.total} ${progress.what}`);
  };
  return {
    json,
    tell: (text) => console.error(text),
    print: (text) => console.log(text),
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
