import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { join, resolve as resolvePath } from "node:path";

export const ROOT = join(import.meta.dirname, "..", "..");

export type Program = {
  readonly pid: number;
  readonly child: ChildProcess;
  /** Rejects as soon as the program exits; raced against what it is expected to do. */
  readonly died: Promise<never>;
};

const STOP_WITHIN_MS = 10_000;

/** Starts one of our programs, or another one by its absolute path, with the Node that runs the bench, and stops it with the stage, by its pid. */
export function startProgram(
  stage: AsyncDisposableStack,
  file: string,
  {
    parameters = [],
    ...options
  }: Pick<SpawnOptions, "env" | "stdio"> & { readonly parameters?: readonly string[] },
): Program {
  if (stage.disposed) throw new Error("interrupted");
  const child = spawn(process.execPath, [resolvePath(ROOT, file), ...parameters], { cwd: ROOT, ...options });
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(`exit ${signal ?? code}`));
  });
  const died = ended.then((how) => Promise.reject(new Error(`${file} exited early: ${how}`)));
  died.catch(() => {});
  stage.defer(async () => {
    child.kill("SIGTERM");
    const force = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
    await ended;
    clearTimeout(force);
  });
  return { pid: child.pid ?? Number.NaN, child, died };
}

/** The next message of a program over its IPC channel. */
export function nextMessage<Message>({ child, died }: Program, withinMs: number): Promise<Message> {
  const message = new Promise<Message>((resolve) =>
    child.once("message", resolve as (message: unknown) => void),
  );
  return within(withinMs, "a message", Promise.race([message, died]));
}

export async function within<Value>(ms: number, what: string, promise: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`not within ${ms} ms: ${what}`)), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
