/**
 * Preloaded by a process whose machine's clock is to be wrong: `CLOCK_FILE` holds by how many milliseconds it is ahead,
 * and may change while the process runs.
 */
import { readFileSync } from "node:fs";

const file = process.env["CLOCK_FILE"] ?? "";
const RealDate = Date;
let ahead = 0;

function read(): void {
  ahead = Number(readFileSync(file, "utf8"));
}

read();
setInterval(read, 20).unref();

const now = () => RealDate.now() + ahead;

globalThis.Date = new Proxy(RealDate, {
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  construct: (target, values, made) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, made) as Date,
});
