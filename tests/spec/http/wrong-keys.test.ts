import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";

describe("wrong API keys are throttled by address", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway({ environment: { TIDEGATE_TRUSTED_PROXIES: "127.0.0.1" } });
  });
  after(() => gateway.stop());

  const guess = (from: string, path = "/paymentrequests", key = "wrong_key_0000000000000000") =>
    gateway.get(path, { key, headers: { "x-forwarded-for": from } });
  const guessMany = async (from: string, count: number, path?: string) => {
    const answers: Answer[] = [];
    for (let done = 0; done < count; done += 1) answers.push(await guess(from, path));
    return answers.map(({ status }) => status);
  };

  test("200 are answered with 401, more with 429 and Retry-After, for that address alone", async () => {
    const statuses = await guessMany("198.51.100.1", 215);
    assert.ok(statuses.slice(0, 200).every((status) => status === 401));
    assert.ok(statuses.slice(200).includes(429));
    const refused = await guess("198.51.100.1");
    assert.equal(refused.status, 429);
    assert.equal(refused.body.result.codes[0].id, "V11032");
    assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
    assert.equal((await guess("198.51.100.2")).status, 401);
    const { key } = await gateway.newMerchant();
    assert.equal((await guess("198.51.100.1", "/paymentrequests", key)).status, 200);
  });

  test("an unknown path is no way around it", async () => {
    const statuses = await guessMany("198.51.100.3", 215, "/no-such-path");
    assert.ok(statuses.slice(0, 200).every((status) => status === 404));
    assert.ok(statuses.slice(200).includes(429));
  });

  test("a missing key is not a guess", async () => {
    for (let done = 0; done < 220; done += 1) {
      const answer = await gateway.get("/paymentrequests", {
        key: null,
        headers: { "x-forwarded-for": "198.51.100.4" },
      });
      assert.equal(answer.status, 401);
    }
  });
});
