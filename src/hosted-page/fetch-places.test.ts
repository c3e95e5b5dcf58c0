import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { createFetchPlaces } from "./fetch-places.ts";

/** Enters and records the outcome; undefined while it waits. */
function enterAll(places: ReturnType<typeof createFetchPlaces>, merchants: readonly string[]) {
  const outcomes: (boolean | undefined)[] = merchants.map(() => undefined);
  for (const [at, merchant] of merchants.entries())
    void places.enter(merchant).then((entered) => {
      outcomes[at] = entered;
    });
  return outcomes;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const count = (outcomes: readonly unknown[], outcome: unknown) =>
  outcomes.filter((one) => one === outcome).length;
const times = (number: number, merchant: string) => Array.from({ length: number }, () => merchant);

describe("contract 11: item pictures that are fetched at the same time", () => {
  test("four of a merchant are fetched, 46 wait, the next is refused", async (t) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    t.after(() => mock.timers.reset());
    const outcomes = enterAll(createFetchPlaces(), times(51, "a"));
    await settled();
    assert.deepEqual([count(outcomes, true), count(outcomes, undefined)], [4, 46]);
    assert.equal(outcomes[50], false);
  });

  test("sixteen in all are fetched and 184 wait", async (t) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    t.after(() => mock.timers.reset());
    const merchants = ["a", "b", "c", "d", "e"].flatMap((merchant) => times(41, merchant));
    const outcomes = enterAll(createFetchPlaces(), merchants);
    await settled();
    const counts = [true, undefined, false].map((outcome) => count(outcomes, outcome));
    assert.deepEqual(counts, [16, 184, 5]);
  });

  test("a free place goes to the merchant with the fewest, then to who came first", async (t) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    t.after(() => mock.timers.reset());
    const places = createFetchPlaces();
    const busy = enterAll(
      places,
      ["a", "b", "c", "d"].flatMap((merchant) => times(5, merchant)),
    );
    const newcomer = enterAll(places, ["e"]);
    await settled();
    assert.deepEqual([count(busy, true), newcomer], [16, [undefined]]);
    places.leave("a");
    await settled();
    assert.deepEqual([count(busy, true), newcomer], [16, [true]]);
    places.leave("e");
    await settled();
    assert.equal(busy[4], true, "a has three places, the others four");
    assert.equal(count(busy, true), 17);
  });

  test("one that waits for ten seconds is refused, and its place in line is free again", async (t) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    t.after(() => mock.timers.reset());
    const places = createFetchPlaces();
    const outcomes = enterAll(places, times(50, "a"));
    await settled();
    mock.timers.tick(9_999);
    await settled();
    assert.equal(count(outcomes, false), 0);
    mock.timers.tick(1);
    await settled();
    assert.equal(count(outcomes, false), 46);
    places.leave("a");
    const later = enterAll(places, times(47, "a"));
    await settled();
    assert.deepEqual([later[0], count(later, undefined)], [true, 46]);
  });
});
