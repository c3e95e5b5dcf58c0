import { credentialsProblem } from "./setting.ts";

/** A driver for PostgreSQL takes it in a password as it stands. */
const BARE_PERCENT = /%(?![0-9a-f]{2})/gi;

export function databaseUrlProblem(text: string): string | undefined {
  const url = /^postgres(ql)?:\/\//.test(text) ? URL.parse(text) : null;
  return url === null
    ? "is not a postgres:// URL (a password with signs such as / or @ has to be percent-encoded)"
    : credentialsProblem({ username: url.username, password: url.password.replace(BARE_PERCENT, "%25") });
}
