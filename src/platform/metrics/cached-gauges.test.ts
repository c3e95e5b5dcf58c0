import assert from "node:assert/strict";
import { test } from "node:test";
import { Registry } from "prom-client";
import { cachedGauges } from "./cached-gauges.ts";

test("a gauge with a label has the values of the last answer, and none while the database is away", async () => {
  const registry = new Registry();
  let [now, answer]: [number, Map<string, number> | undefined] = [0, new Map([["payout_run", 2]])];
  const read = async () => answer ?? Promise.reject(new Error("away"));
  cachedGauges(registry, read, () => now, [
    { name: "failing", help: "Jobs.", label: "kind", pick: (kinds) => kinds },
    { name: "all", help: "Jobs.", pick: (kinds) => kinds.size },
  ]);
  const values = async () => (await registry.metrics()).split("\n").filter((line) => /^\w/.test(line));
  assert.deepEqual(await values(), ['failing{kind="payout_run"} 2', "all 1"]);
  [now, answer] = [10_000, undefined];
  assert.deepEqual(await values(), []);
  [now, answer] = [20_000, new Map([["refund_settle", 1]])];
  assert.deepEqual(await values(), ['failing{kind="refund_settle"} 1', "all 1"]);
});
