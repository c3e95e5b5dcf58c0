/**
 * The floor of a read: bare Fastify with the gateway's driver and pool size, one row by its primary key, no checks, no
 * log. The row is as long as a payment request's. It reports its port over the IPC channel.
 */
import { randomBytes } from "node:crypto";
import { openPool, serve, setting } from "./bare-server.ts";

const bytes = Number(setting("ROW_BYTES"));
const body = randomBytes(bytes).toString("base64").slice(0, bytes);

const pool = openPool();
await pool.query('create table rows (id text collate "C" primary key, body text not null)');
await pool.query("insert into rows (id, body) values ($1, $2)", [setting("ROW_ID"), body]);

await serve((server) => {
  server.get<{ Params: { id: string } }>("/rows/:id", async ({ params }) => {
    const { rows } = await pool.query({
      name: "read",
      text: "select id, body from rows where id = $1",
      values: [params.id],
    });
    return rows[0];
  });
});
