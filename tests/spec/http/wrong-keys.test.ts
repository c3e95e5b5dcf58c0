import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Calls } from "../../support/calls.ts";
import { eventually } from "../../support/eventually.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";

const environment = { TIDEGATE_TRUSTED_PROXIES: "127.0.0.1" };
const WRONG = "wrong_key_0000000000000000";

/** One wrong key is forgotten every second. */
const BURST = 200;
const PORTION = 20;

const guess = (node: Calls, from: string, path = "/paymentrequests", key = WRONG) =>
  node.get(path, { key, headers: { "x-forwarded-for": from } });

/** Guesses, 50 at once: fewer than a node takes. */
async function guessAll(node: Calls, from: string, count: number, path?: string): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const size = Math.min(50, count - answers.length);
    answers.push(...(await Promise.all(Array.from({ length: size }, () => guess(node, from, path)))));
  }
  return answers;
}

/** Returns how many were not refused with 429. */
async function guessMany(node: Calls, from: string, count: number, path?: string): Promise<number> {
  const answers = await guessAll(node, from, count, path);
  return answers.filter(({ status }) => status !== 429).length;
}

async function refusalOf(node: Calls, from: string): Promise<Answer> {
  const answers = await guessAll(node, from, 40);
  return answers.find(({ status }) => status === 429) ?? assert.fail("none is refused");
}

/** The whole burst was answered, and no more than was forgotten meanwhile, and `more`. */
function assertBurst(answered: number, began: number, more = 0): void {
  const forgotten = Math.ceil((performance.now() - began) / 1_000);
  assert.ok(answered >= BURST && answered <= BURST + more + forgotten, `${answered} in ${forgotten} s`);
}

describe("wrong API keys are throttled by address", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway({ environment });
  });
  after(() => gateway.stop());

  test("200 are answered with 401, more with 429, Retry-After and RateLimit-*, for that address alone", async () => {
    const began = performance.now();
    let answered = await guessMany(gateway, "198.51.100.1", 150);
    assert.equal(answered, 150);
    answered += await guessMany(gateway, "198.51.100.1", 150);
    assertBurst(answered, began);
    const refused = await refusalOf(gateway, "198.51.100.1");
    assert.equal(refused.body.result.codes[0].id, "V11032");
    const retryAfter = refused.headers.get("retry-after");
    assert.match(retryAfter ?? "", /^[1-9]\d*$/);
    assert.deepEqual(
      ["limit", "remaining", "reset"].map((name) => refused.headers.get(`ratelimit-${name}`)),
      ["1", "0", retryAfter],
    );
    assert.equal((await guess(gateway, "198.51.100.2")).status, 401);
    const { key } = await gateway.newMerchant();
    assert.equal((await guess(gateway, "198.51.100.1", "/paymentrequests", key)).status, 200);
  });

  test("an unknown path is no way around it", async () => {
    const began = performance.now();
    const answered = await guessMany(gateway, "198.51.100.3", 300, "/no-such-path");
    assertBurst(answered, began);
  });

  test("a missing key is not a guess", async () => {
    const answers = await Promise.all(
      Array.from({ length: 220 }, () =>
        gateway.get("/paymentrequests", { key: null, headers: { "x-forwarded-for": "198.51.100.4" } }),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401]));
  });
});

describe("wrong API keys are throttled by address, on several nodes", () => {
  test("all nodes together answer one limit and a portion for each of them, with a write per portion", async () => {
    const first = await startTestGateway({ environment });
    const { database } = first;
    const second = await startTestGateway({ environment, database });
    const nodes = [first, second];
    const guesser = "198.51.100.20";
    try {
      const began = performance.now();
      let answered = 0;
      for (let round = 0; round < 12; round += 1)
        for (const node of nodes) answered += await guessMany(node, guesser, 25);
      assertBurst(answered, began, 2 * PORTION);
      for (const node of nodes) await refusalOf(node, guesser);
      // Others are answered, and a right key is served.
      assert.equal(await guessMany(second, "198.51.100.21", PORTION - 1), PORTION - 1);
      const { key } = await first.newMerchant();
      assert.equal((await guess(second, guesser, "/paymentrequests", key)).status, 200);
      const rows = await database.rows("select from wrong_api_keys");
      assert.equal(rows.length, 1, "an address with a few wrong keys is not written");
      const most = Math.ceil((BURST + 4 * PORTION + (performance.now() - began) / 1_000) / PORTION);
      await eventually("the writes are counted", async () => {
        const [row] = await database.rows<{ writes: number }>(
          "select (n_tup_ins + n_tup_upd)::int as writes from pg_stat_user_tables where relname = 'wrong_api_keys'",
        );
        assert.ok((row?.writes ?? 0) <= most, `${row?.writes} writes, at most ${most}`);
        return (row?.writes ?? 0) > 0;
      });
      // A node that starts meanwhile learns of it with its first portion.
      const third = await startTestGateway({ environment, database });
      try {
        assert.ok((await guessMany(third, guesser, 100)) <= PORTION + (performance.now() - began) / 1_000);
      } finally {
        await third.stop();
      }
    } finally {
      await second.stop();
      await first.stop();
    }
  });
});
