import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const SAMPLES = join(import.meta.dirname, "../../../deploy/high-availability");

/** Where one of the three machines of the sample files listens on this machine. */
export type Ports = {
  readonly etcd: number;
  readonly peer: number;
  readonly patroni: number;
  readonly postgres: number;
};

/** What takes the place of addresses and paths of the sample files. */
export type Places = {
  readonly machines: readonly Ports[];
  /** Has `ca.pem`, `machine.pem` and `machine.key`. */
  readonly certificates: string;
};

/** A file of `deploy/high-availability`, as an operator would fill it in for the machine of that number, counted from 0. */
export async function fillIn(
  sample: "etcd.yaml" | "patroni.yml" | "haproxy.cfg" | "gateway.env.sample",
  places: Places,
  { machine = 0, changes = [] }: { machine?: number; changes?: readonly (readonly [string, string])[] } = {},
): Promise<string> {
  let text = await readFile(join(SAMPLES, sample), "utf8");
  const own = (line: string) =>
    /^\s*(name|listen|connect_address|listen-\S+|advertise-\S+|initial-advertise-\S+):/.test(line)
      ? line.replace("db1", `db${machine + 1}`).replace("10.0.0.21", `10.0.0.2${machine + 1}`)
      : line;
  text = text.split("\n").map(own).join("\n");
  for (const [from, to] of changes) {
    assert.ok(text.includes(from), `${sample} names ${from}`);
    text = text.replaceAll(from, to);
  }
  for (const [index, ports] of places.machines.entries()) {
    const address = `10.0.0.2${index + 1}`;
    text = text
      .replaceAll(`${address}:2379`, `127.0.0.1:${ports.etcd}`)
      .replaceAll(`${address}:2380`, `127.0.0.1:${ports.peer}`)
      .replaceAll(`${address}:8008`, `127.0.0.1:${ports.patroni}`)
      .replaceAll(
        `server db${index + 1} ${address}:5432`,
        `server db${index + 1} 127.0.0.1:${ports.postgres} port ${ports.patroni}`,
      )
      .replaceAll(`${address}:5432`, `127.0.0.1:${ports.postgres}`);
  }
  text = text.replaceAll("/etc/tidegate-db/", `${places.certificates}/`);
  assert.doesNotMatch(
    text.replaceAll(/#.*/g, ""),
    /10\.0\.0\./,
    `${sample} has an address that the test does not know`,
  );
  return text;
}
