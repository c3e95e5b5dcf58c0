import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { newKey } from "../../crypto/cipher.ts";
import { checkValueOf, joinShares, type KeyShare, readShare, splitKey, writeShare } from "./key-shares.ts";

const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("hex");
const problemOf = (shares: readonly KeyShare[]) => joinShares(shares).problem;

describe("a master key in shares", () => {
  for (const count of [2, 3, 9]) {
    test(`${count} shares make up their key in any order, and no ${count - 1} of them do`, () => {
      const key = newKey();
      const shares = splitKey(key, count);
      assert.equal(hex(joinShares(shares.toReversed()).key), hex(key));
      for (const left of shares) {
        const others = shares.filter((share) => share !== left);
        assert.equal(problemOf(others), `${count - 1} of ${count} shares are there`);
      }
      assert.ok(shares.every(({ bytes }) => hex(bytes) !== hex(key)));
    });
  }

  test("a share is one line that reads back, and its check value finds a typing mistake", () => {
    const [share] = splitKey(newKey(), 3);
    assert.ok(share !== undefined);
    const line = writeShare(share);
    assert.ok(line.endsWith(` ${checkValueOf(share)}`));
    assert.deepEqual(readShare(`${line}\n`), share);
    const at = line.indexOf(" local-") + 30;
    const typed = line[at] === "A" ? "B" : "A";
    assert.equal(readShare(line.slice(0, at) + typed + line.slice(at + 1)), undefined);
    assert.equal(readShare(line.replace("1 of 3", "2 of 3")), undefined);
    for (const text of ["", "x", line.slice(1), `${line} x`, line.slice(0, -1)])
      assert.equal(readShare(text), undefined);
  });

  test("shares of two keys, and one share twice, are refused", () => {
    const [one, other] = [splitKey(newKey(), 2), splitKey(newKey(), 2)];
    assert.equal(problemOf([...one.slice(0, 1), ...other.slice(1)]), "the shares are of different keys");
    assert.equal(problemOf([...one.slice(0, 1), ...one.slice(0, 1)]), "a share is there twice");
    assert.equal(problemOf([]), "there is no share");
  });

  test("shares that were changed together with their check values do not make up the key", () => {
    const [first, ...others] = splitKey(newKey(), 3);
    assert.ok(first !== undefined);
    const changed = { ...first, bytes: first.bytes.map((byte) => byte ^ 1) };
    assert.equal(problemOf([changed, ...others]), "the shares do not make up their key");
  });

  test("two keys of one split count share no share", () => {
    const key = newKey();
    const [one, other] = [splitKey(key, 3), splitKey(key, 3)];
    assert.notEqual(hex(one[0]?.bytes), hex(other[0]?.bytes));
  });
});
