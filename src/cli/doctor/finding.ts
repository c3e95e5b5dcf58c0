/** What a check has found, and what to do about it. */
export type Finding = {
  readonly check: string;
  readonly status: "ok" | "warn" | "fail";
  readonly says: string;
  readonly fix?: string;
};

/** Findings of one check; it begins with what it is about. */
export function findings(check: string) {
  return {
    ok: (says: string): Finding => ({ check, status: "ok", says }),
    warn: (says: string, fix: string): Finding => ({ check, status: "warn", says, fix }),
    fail: (says: string, fix: string): Finding => ({ check, status: "fail", says, fix }),
  };
}

/** As people read it: the finding, and below it what to fix. */
export function linesOf({ check, status, says, fix }: Finding): readonly string[] {
  const line = `${status.padEnd(4)}  ${check.padEnd(12)}  ${says}`;
  return fix === undefined ? [line] : [line, `${" ".repeat(20)}fix: ${fix}`];
}

/** The words of an error; a refused connection is an AggregateError without any of its own. */
export function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return wordsOf(error.errors[0]);
  return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "unknown";
}
