import { readFileSync } from "node:fs";
import { credentialsProblem } from "./setting.ts";

/** A driver for PostgreSQL takes it in a password as it stands. */
const BARE_PERCENT = /%(?![0-9a-f]{2})/gi;
/** Parameters that name files, which the driver reads with every connection. */
const FILES = ["sslrootcert", "sslcert", "sslkey"];

export function databaseUrlProblem(text: string): string | undefined {
  const url = /^postgres(ql)?:\/\//.test(text) ? URL.parse(text) : null;
  if (url === null)
    return "is not a postgres:// URL (a password with signs such as / or @ has to be percent-encoded)";
  const { username, password, searchParams } = url;
  return (
    credentialsProblem({ username, password: password.replace(BARE_PERCENT, "%25") }) ??
    FILES.map((name) => fileProblem(name, searchParams.get(name))).find((problem) => problem !== undefined)
  );
}

function fileProblem(name: string, path: string | null): string | undefined {
  if (path === null || path === "") return undefined;
  try {
    readFileSync(path);
    return undefined;
  } catch (error) {
    return `names a file that can't be read: ${name}=${path} (${(error as NodeJS.ErrnoException).code})`;
  }
}
