/** What the floors share: settings, the gateway's driver and pool size, bare Fastify. */
import { type FastifyInstance, fastify } from "fastify";
import pg from "pg";

export const setting = (name: string) => process.env[`FLOOR_${name}`] ?? "";

export function openPool(options: pg.PoolConfig = {}): pg.Pool {
  return new pg.Pool({
    connectionString: setting("DATABASE_URL"),
    max: Number(setting("POOL_SIZE")),
    keepAlive: true,
    idleTimeoutMillis: 60_000,
    ...options,
  });
}

/** Serves the routes until the bench ends, and reports the port over the IPC channel. */
export async function serve(mount: (server: FastifyInstance) => void): Promise<void> {
  const server = fastify({ logger: false });
  mount(server);
  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  process.send?.({ port: Number(new URL(address).port) });
  process.on("disconnect", () => process.exit(0)).on("SIGTERM", () => process.exit(0));
}
