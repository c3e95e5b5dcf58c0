import { createServer } from "node:net";
import { startProgram, within } from "./program.ts";

export const BENCH_KEY = "bench_key_of_the_sandbox_merchant";

export type BenchGateway = { readonly pid: number; readonly port: number; readonly hostedPort: number };

/** Starts the gateway as `npm start` does, on its own database, or on the embedded one of its data
 * folder; its log goes to /dev/null. */
export async function startGatewayProgram(
  stage: AsyncDisposableStack,
  databaseUrl: string | undefined,
  environment: Readonly<Record<string, string>>,
): Promise<BenchGateway> {
  const [port, hostedPort] = [await freePort(), await freePort()];
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("TIDEGATE_") && name !== "DATABASE_URL",
  );
  const { pid, child, died } = startProgram(stage, "bin/run.js", {
    parameters: ["src/app/main.ts"],
    stdio: ["ignore", "pipe", "ignore"],
    env: {
      ...Object.fromEntries(inherited),
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      TIDEGATE_API_PORT: String(port),
      TIDEGATE_HOSTED_PORT: String(hostedPort),
      TIDEGATE_SANDBOX_API_KEY: BENCH_KEY,
      TIDEGATE_RATE_LIMIT: "0",
      ...environment,
    },
  });
  const ready = new Promise<void>((resolve) => {
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("Tidegate is ready")) resolve();
    });
  });
  await within(90_000, "the gateway's ready line", Promise.race([ready, died]));
  return { pid, port, hostedPort };
}

/** A port that is free right now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : Number.NaN;
      probe.close(() => resolve(port));
    });
  });
}
