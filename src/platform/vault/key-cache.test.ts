import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Instant, instant, later, MINUTE } from "../../kernel/time.ts";
import { createKeyCache } from "./key-cache.ts";

describe("unwrapped keys stay in memory for a short time, and few of them", () => {
  function cacheAt(start = instant(0)) {
    let now: Instant = start;
    const cache = createKeyCache(() => now);
    const pass = (milliseconds: number) => {
      now = later(now, milliseconds);
    };
    return { ...cache, pass };
  }
  const key = () => new Uint8Array(32).fill(7);
  const gone = new Uint8Array(32);

  test("for five minutes, and not at their end; then the bytes are overwritten", () => {
    const { find, add, pass } = cacheAt();
    const held = key();
    add("a", held);
    pass(5 * MINUTE - 1);
    assert.deepEqual(find("a"), key());
    pass(1);
    assert.equal(find("a"), undefined);
    assert.deepEqual(held, gone);
    assert.equal(find("a"), undefined);
  });

  test("a thousand and no more: the oldest goes, overwritten", () => {
    const { find, add } = cacheAt();
    const keys = Array.from({ length: 1001 }, key);
    for (const [index, one] of keys.slice(0, 1000).entries()) add(`k${index}`, one);
    assert.deepEqual(find("k0"), key());
    add("k1000", keys[1000] as Uint8Array);
    assert.equal(find("k0"), undefined);
    assert.deepEqual(keys[0], gone);
    assert.deepEqual(find("k1"), key());
    assert.deepEqual(find("k1000"), key());
  });

  test("a key that is in use stays intact when the cache drops it", () => {
    const { find, add, pass } = cacheAt();
    add("a", key());
    const given = find("a");
    pass(5 * MINUTE);
    assert.equal(find("a"), undefined);
    assert.deepEqual(given, key());
  });

  test("an expired key is dropped when another is added, also if it is not requested", () => {
    const { add, pass } = cacheAt();
    const [old, fresh] = [key(), key()];
    add("old", old);
    pass(5 * MINUTE);
    add("fresh", fresh);
    assert.deepEqual(old, gone);
    assert.notDeepEqual(fresh, gone);
  });

  test("an expired key is dropped also when the cache is not used again; a newer one in its own time", ({
    mock,
  }) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const { add, find, pass } = cacheAt();
    const tick = (milliseconds: number) => {
      pass(milliseconds);
      mock.timers.tick(milliseconds);
    };
    const [old, newer] = [key(), key()];
    add("old", old);
    tick(MINUTE);
    add("newer", newer);
    assert.deepEqual(find("old"), key());
    tick(4 * MINUTE);
    assert.deepEqual([old, newer], [gone, key()]);
    tick(MINUTE);
    assert.deepEqual(newer, gone);
  });
});
