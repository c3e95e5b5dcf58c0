import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  companionId,
  ID_PREFIXES,
  type IdNoun,
  idFloor,
  idMoment,
  newId,
  parseId,
  requireId,
} from "./ids.ts";
import { Refusal } from "./refusal.ts";
import { instant } from "./time.ts";

const NOUNS = Object.keys(ID_PREFIXES) as IdNoun[];
/** The first that this process makes. */
const FIRST = newId("event", instant(0));
const moments = fc.integer({ min: 0, max: Date.parse("9999-12-31") }).map(instant);

describe("contract 2: ids are opaque, URL-safe and have a readable prefix", () => {
  for (const noun of NOUNS) {
    test(`${noun}: begins with ${ID_PREFIXES[noun]}_, needs no escaping and can be read again`, () => {
      const id = newId(noun, instant(Date.now()));
      assert.ok(id.startsWith(`${ID_PREFIXES[noun]}_`));
      assert.equal(encodeURIComponent(id), id);
      assert.equal(parseId(noun, id), id);
    });
  }

  test("no two nouns share a prefix, so no id is taken for one of another noun", () => {
    for (const one of NOUNS) {
      for (const other of NOUNS) {
        if (one !== other) assert.equal(parseId(other, newId(one, instant(0))), undefined);
      }
    }
  });

  const body = newId("paymentRequest", instant(0)).slice("pr_".length);
  for (const [what, text] of [
    ["an empty text", ""],
    ["the prefix alone", "pr_"],
    ["no prefix", body],
    ["another prefix", `cus_${body}`],
    ["the prefix in capitals", `PR_${body}`],
    ["capitals", `pr_${body.toUpperCase()}`.replace(/0/g, "A")],
    ["a character too few", `pr_${body.slice(1)}`],
    ["a character too many", `pr_${body}0`],
    ["a letter that the alphabet leaves out", `pr_${body.slice(1)}u`],
    ["a NUL", `pr_${body.slice(1)}\u0000`],
    ["a line break at the end", `pr_${body}\n`],
    ["a slash", `pr_${body.slice(1)}/`],
  ] as const) {
    test(`${what} is no id`, () => assert.equal(parseId("paymentRequest", text), undefined));
  }

  test("the id of a companion differs in its prefix alone", () => {
    assert.equal(
      companionId("paymentInstrument", newId("customer", instant(0))).slice(0, 13),
      "pi_0000000000",
    );
  });

  test("a text that can be no id names no resource", () => {
    assert.equal(requireId("event", FIRST), FIRST);
    assert.throws(() => requireId("customer", FIRST), Refusal);
  });

  test("no text makes the parser throw", () => {
    fc.assert(fc.property(fc.string(), (text) => assert.equal(parseId("event", text), undefined)));
  });
});

describe("contract 2: ids are unguessable", () => {
  test("of 20,000 ids of one millisecond, no two have the same random end", () => {
    const ends = Array.from({ length: 20_000 }, () => newId("paymentRequest", instant(1)).slice(-16));
    assert.equal(new Set(ends).size, ends.length);
  });

  test("the first id of a process has a random end, too", () => {
    assert.doesNotMatch(FIRST, /0{16}$/);
  });

  test("every character of the random end takes every value", () => {
    const ends = Array.from({ length: 2_000 }, () => newId("paymentRequest", instant(1)).slice(-16));
    for (let place = 0; place < 16; place += 1) {
      assert.equal(new Set(ends.map((end) => end.charAt(place))).size, 32);
    }
  });
});

describe("contract 2: ids sort by creation", () => {
  test("an id of a later moment sorts after one of an earlier moment", () => {
    fc.assert(
      fc.property(moments, moments, (one, other) => {
        const [first, second] = [newId("event", one), newId("event", other)];
        if (one !== other) assert.equal(first < second, one < other);
      }),
    );
  });

  test("ids created one after another within a millisecond sort in that order", () => {
    const ids = Array.from({ length: 10_000 }, () => newId("event", instant(5)));
    assert.ok(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? "")));
  });

  test("ten characters are the moment, three count within it, sixteen are random", () => {
    const ids = Array.from({ length: 32_769 }, () => newId("event", instant(31)));
    const starts = [0, 1, 32_767, 32_768].map((index) => ids[index]?.slice(0, -16));
    assert.deepEqual(
      starts,
      ["000", "001", "zzz", "000"].map((count) => `evt_000000000z${count}`),
    );
  });

  test("an id says when it was created", () => {
    fc.assert(fc.property(moments, (at) => assert.equal(idMoment(newId("paymentRequest", at)), at)));
  });

  test("the floor of a moment lies between the ids before it and those from it on", () => {
    fc.assert(
      fc.property(moments, moments, (made, at) => {
        assert.equal(newId("event", made) >= idFloor("event", at), made >= at);
      }),
    );
  });

  test("the floor of a moment before 1970 lies below every id", () => {
    assert.ok(newId("event", instant(0)) >= idFloor("event", instant(-1)));
  });
});
