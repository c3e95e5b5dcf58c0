/**
 * The floor of a read: bare Fastify with the gateway's driver and pool size, one row by its primary key, no checks, no
 * log. The row is as long as a payment request's. It reports its port over the IPC channel.
 */
import { randomBytes } from "node:crypto";
import { fastify } from "fastify";
import pg from "pg";

const setting = (name: string) => process.env[`FLOOR_${name}`] ?? "";

const bytes = Number(setting("ROW_BYTES"));
const body = randomBytes(bytes).toString("base64").slice(0, bytes);

const pool = new pg.Pool({
  connectionString: setting("DATABASE_URL"),
  max: Number(setting("POOL_SIZE")),
  keepAlive: true,
  idleTimeoutMillis: 60_000,
});
await pool.query('create table rows (id text collate "C" primary key, body text not null)');
await pool.query("insert into rows (id, body) values ($1, $2)", [setting("ROW_ID"), body]);

const server = fastify({ logger: false });
server.get<{ Params: { id: string } }>("/rows/:id", async ({ params }) => {
  const { rows } = await pool.query({
    name: "read",
    text: "select id, body from rows where id = $1",
    values: [params.id],
  });
  return rows[0];
});
const address = await server.listen({ host: "127.0.0.1", port: 0 });
process.send?.({ port: Number(new URL(address).port) });
process.on("disconnect", () => process.exit(0)).on("SIGTERM", () => process.exit(0));
