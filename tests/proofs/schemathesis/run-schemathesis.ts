import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const OUTPUT = { maxBuffer: 256 * 1024 * 1024 };

/** A fuzzer that reads OpenAPI, from PyPI. It is run, and no part of the gateway. */
const SCHEMATHESIS = "schemathesis==4.32.5";

/** Installs it into a folder of its own; returns the program, or why there is none. */
export async function installSchemathesis(
  folder: string,
): Promise<{ readonly program: string } | { readonly reason: string }> {
  const own = process.env["TIDEGATE_SCHEMATHESIS"];
  if (own !== undefined) return { program: own };
  try {
    await run("python3", ["-m", "venv", folder], OUTPUT);
  } catch (error) {
    return { reason: `python3 has no venv here: ${String(error).slice(0, 200)}` };
  }
  try {
    await run(join(folder, "bin", "pip"), ["install", "--quiet", SCHEMATHESIS], OUTPUT);
  } catch (error) {
    return { reason: `pip cannot fetch ${SCHEMATHESIS}: ${String(error).slice(0, 200)}` };
  }
  return { program: join(folder, "bin", "schemathesis") };
}

/** Runs it in a folder that takes its reports. */
export async function runSchemathesis(
  program: string,
  parameters: readonly string[],
  folder: string,
): Promise<{ readonly code: number; readonly output: string }> {
  const own = import.meta.dirname;
  const hooks = { SCHEMATHESIS_HOOKS: join(own, "hooks.py"), PYTHONDONTWRITEBYTECODE: "1" };
  const options = { cwd: folder, env: { ...process.env, ...hooks }, ...OUTPUT };
  const config = ["--config-file", join(own, "schemathesis.toml")];
  return run(program, [...config, ...parameters], options).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: unknown) => {
      const { code, stdout, stderr } = error as {
        readonly code: number;
        readonly stdout: string;
        readonly stderr: string;
      };
      return { code, output: stdout + stderr };
    },
  );
}
