import { credentialsProblem } from "./setting.ts";

export function databaseUrlProblem(text: string): string | undefined {
  const url = /^postgres(ql)?:\/\//.test(text) ? URL.parse(text) : null;
  return url === null
    ? "is not a postgres:// URL (a password with signs such as / or @ has to be percent-encoded)"
    : credentialsProblem(url);
}
