/**
 * The floor of a durable create: bare Fastify with the gateway's driver and pool size, one insert of one row, no checks,
 * no log. The row's bytes are generated once and only its key differs, so only the unavoidable work is left. It reports
 * its port over the IPC channel.
 */
import { randomBytes } from "node:crypto";
import { openPool, serve, setting } from "./bare-server.ts";

/** The length of the gateway's ids. */
const KEY_LENGTH = 32;
const bytes = Math.max(0, Number(setting("ROW_BYTES")) - KEY_LENGTH);
const body = randomBytes(bytes).toString("base64").slice(0, bytes);
let count = 0;

const pool = openPool();
await pool.query('create table rows (id text collate "C" primary key, body text not null)');

await serve((server) => {
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
});
