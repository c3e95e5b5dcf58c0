import { SETTINGS } from "../../src/platform/config/settings.ts";
import { nextMessage, startProgram } from "./program.ts";

/** Starts a bare server to measure against, with the gateway's pool size; it reports its port over the IPC channel. */
export async function startFloorProgram(
  stage: AsyncDisposableStack,
  file: string,
  databaseUrl: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly pid: number; readonly port: number }> {
  const poolSize = SETTINGS.databasePoolSize.read(undefined);
  if (!("value" in poolSize)) throw new Error("the pool size has no default");
  const program = startProgram(stage, file, {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      ...process.env,
      FLOOR_DATABASE_URL: databaseUrl,
      FLOOR_POOL_SIZE: String(poolSize.value),
      ...environment,
    },
  });
  const { port } = await nextMessage<{ port: number }>(program, 30_000);
  return { pid: program.pid, port };
}
