import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { newKey } from "../../crypto/cipher.ts";
import { isSampleKey, parseKeyList, writeKey } from "../../crypto/key-list.ts";
import { createLocalKeyWrapper } from "./local-key-wrapper.ts";

describe("master keys at hand", () => {
  test("what was wrapped opens for its context and its master key alone", async () => {
    const [one, other] = [newKey(), newKey()];
    const wrapper = createLocalKeyWrapper(async () => [one, other]);
    const [first = "", second = ""] = await wrapper.masterIds();
    const key = newKey();
    const wrapped = await wrapper.wrap(first, key, "context");
    assert.deepEqual([...((await wrapper.unwrap(first, wrapped, "context")) ?? [])], [...key]);
    assert.equal(await wrapper.unwrap(first, wrapped, "another"), undefined);
    assert.equal(await wrapper.unwrap(second, wrapped, "context"), undefined);
    assert.equal(await wrapper.unwrap("unknown", wrapped, "context"), undefined);
    await assert.rejects(wrapper.wrap("unknown", key, "context"));
  });

  test("an id names the same key everywhere, and reveals nothing of it", async () => {
    const key = newKey();
    const ids = () => createLocalKeyWrapper(async () => [key]).masterIds();
    const [id = ""] = await ids();
    assert.deepEqual(await ids(), [id]);
    assert.equal(Buffer.from(key).toString("hex").includes(id.replace("local-", "")), false);
  });

  test("a key that was added later is found when it is needed", async () => {
    const [old, fresh] = [newKey(), newKey()];
    let keys = [old];
    const wrapper = createLocalKeyWrapper(async () => keys);
    await wrapper.masterIds();
    const [id = ""] = await createLocalKeyWrapper(async () => [fresh]).masterIds();
    assert.equal(await wrapper.unwrap(id, new Uint8Array(60), "x"), undefined);
    keys = [fresh];
    const wrapped = await wrapper.wrap(id, newKey(), "x");
    assert.notEqual(await wrapper.unwrap(id, wrapped, "x"), undefined);
  });

  test("keys that could not be read are read again the next time", async () => {
    let attempts = 0;
    const key = newKey();
    const wrapper = createLocalKeyWrapper(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error("away");
      return [key];
    });
    await assert.rejects(wrapper.unwrap("x", new Uint8Array(60), "x"), /away/);
    assert.equal((await wrapper.masterIds()).length, 1);
  });
});

describe("keys as an operator writes them", () => {
  test("base64, base64 for URLs and hex are read, with commas or line ends between", () => {
    const [one, two, three] = [newKey(), newKey(), newKey()];
    const texts = [
      writeKey(one),
      Buffer.from(two).toString("base64url"),
      Buffer.from(three).toString("hex").toUpperCase(),
    ];
    for (const between of [",", "\n", " , ", "\r\n"]) {
      const keys = parseKeyList(`${texts.join(between)}\n`) ?? [];
      assert.deepEqual(keys.map(writeKey), [one, two, three].map(writeKey));
    }
    assert.equal(parseKeyList(""), undefined);
    assert.equal(parseKeyList(`${texts[0]},x`), undefined);
  });

  test("a sample key is one that is not random", () => {
    const counted = Uint8Array.from({ length: 32 }, (_, index) => (index + 250) % 256);
    const fewValues = (count: number) => Uint8Array.from({ length: 32 }, (_, index) => (index * 37) % count);
    for (const key of [new Uint8Array(32), counted, fewValues(15), Buffer.from("k3y-".repeat(8))]) {
      assert.equal(isSampleKey(key), true);
    }
    assert.equal(isSampleKey(fewValues(16)), false);
  });
});
