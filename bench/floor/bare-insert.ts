/**
 * The floor of a durable create: bare Fastify with the gateway's driver and pool size, one insert of one row, no checks,
 * no log. The row's bytes are generated once and only its key differs, so only the unavoidable work is left. It reports
 * its port over the IPC channel.
 */
import { randomBytes } from "node:crypto";
import { fastify } from "fastify";
import pg from "pg";

const setting = (name: string) => process.env[`FLOOR_${name}`] ?? "";

/** The length of the gateway's ids. */
const KEY_LENGTH = 32;
const bytes = Math.max(0, Number(setting("ROW_BYTES")) - KEY_LENGTH);
const body = randomBytes(bytes).toString("base64").slice(0, bytes);
let count = 0;

const pool = new pg.Pool({
  connectionString: setting("DATABASE_URL"),
  max: Number(setting("POOL_SIZE")),
  keepAlive: true,
  idleTimeoutMillis: 60_000,
});
await pool.query('create table rows (id text collate "C" primary key, body text not null)');

const server = fastify({ logger: false });
server.post("/rows", async () => {
  count += 1;
  const id = String(count).padStart(KEY_LENGTH, "0");
  await pool.query({
    name: "insert",
    text: "insert into rows (id, body) values ($1, $2)",
    values: [id, body],
  });
  return { id };
});
const address = await server.listen({ host: "127.0.0.1", port: 0 });
process.send?.({ port: Number(new URL(address).port) });
process.on("disconnect", () => process.exit(0)).on("SIGTERM", () => process.exit(0));
