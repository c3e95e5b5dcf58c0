/** The result of a check, and how to fix a problem. */
export type Finding = {
  readonly check: string;
  readonly status: "ok" | "warn" | "fail";
  readonly says: string;
  readonly fix?: string;
};

/** Creates the findings of one check. */
export function findings(check: string) {
  return {
    ok: (says: string): Finding => ({ check, status: "ok", says }),
    warn: (says: string, fix: string): Finding => ({ check, status: "warn", says, fix }),
    fail: (says: string, fix: string): Finding => ({ check, status: "fail", says, fix }),
  };
}

/** The lines for people: the finding, and below it the fix. */
export function linesOf({ check, status, says, fix }: Finding): readonly string[] {
  const line = `${status.padEnd(4)}  ${check.padEnd(12)}  ${says}`;
  return fix === undefined ? [line] : [line, `${" ".repeat(20)}fix: ${fix}`];
}

/** The first line of an error's message; a refused connection is an AggregateError without a message. */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError) return errorText(error.errors[0]);
  return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "unknown";
}
