export function databaseUrlProblem(text: string): string | undefined {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
    ? undefined
    : "is not a postgres:// URL (a password with signs such as / or @ has to be percent-encoded)";
}
