import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readSettings } from "../../../src/platform/config/settings.ts";
import { TEST_VAULT_KEY } from "../../support/calls.ts";

const fileOf = (name: string) => readFileSync(`deploy/high-availability/${name}`, "utf8");

test("the gateway's settings for three database machines are taken; it writes through HAProxy and reads from one machine", () => {
  // The authority's file is on the machines alone; any that can be read takes its place.
  const lines = fileOf("gateway.env.sample")
    .replaceAll("/etc/tidegate-db/ca.pem", `${process.cwd()}/LICENSE`)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const environment = Object.fromEntries(
    lines.map((line) => /^(\w+)=(.*)$/.exec(line)?.slice(1) ?? [line, ""]),
  );
  const settings = readSettings({ ...environment, TIDEGATE_VAULT_KEY: TEST_VAULT_KEY });
  assert.deepEqual(settings.unknownVariables, []);

  const [write, owner, read] = [
    settings.databaseUrl,
    settings.databaseOwnerUrl,
    settings.databaseReadUrl,
  ].map((url) => new URL(url ?? assert.fail("one is missing")));
  assert.equal(write?.host, owner?.host);
  assert.match(fileOf("haproxy.cfg"), new RegExp(`bind 127\\.0\\.0\\.1:${write?.port}\n`));
  const machines = [...fileOf("haproxy.cfg").matchAll(/^ {4}server \w+ (\S+)$/gm)].map(([, host]) => host);
  assert.equal(machines.length, 3);
  assert.ok(machines.includes(read?.host), `${read?.host} is none of the machines`);
});
