import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { barPlot } from "./bar-plot.ts";
import { linePlot } from "./line-plot.ts";
import { labelled, percentScale, scaleTo } from "./scale.ts";
import { percentText, shareBars } from "./share-bars.ts";

describe("dashboard: axes of plots", () => {
  for (const largest of [0, 1, 99, 100, 101, 399, 400, 12_345, 1_000_000, 99_999_999_999]) {
    test(`nothing exceeds the top at ${largest}, and the lines are round and few`, () => {
      const { top, ticks } = scaleTo(largest, 100);
      assert.ok(top >= largest && top > 0);
      assert.ok(ticks.length >= 2 && ticks.length <= 6, ticks.join());
      assert.ok(ticks.every((tick) => tick % 100 === 0));
      assert.equal(ticks.at(-1), top);
    });
  }

  test("a percentage's axis starts where the data is, and its lines are round and few", () => {
    for (let least = 0; least <= 1000; least += 1) {
      const { bottom, top, ticks } = percentScale([least / 1000, 1]);
      assert.ok(bottom >= 0 && bottom <= least / 10 && top === 100, `${bottom} at ${least}`);
      assert.ok(ticks.length >= 3 && ticks.length <= 6, ticks.join());
      assert.deepEqual([ticks[0], ticks.at(-1)], [bottom, 100]);
      assert.ok(ticks.every(Number.isInteger));
    }
    assert.deepEqual(percentScale([0.957, 0.99]).ticks, [95, 96, 97, 98, 99, 100]);
    assert.deepEqual(percentScale([0.62]).ticks, [60, 70, 80, 90, 100]);
    assert.deepEqual(percentScale([]).ticks, [98, 99, 100]);
  });

  test("draws as many labels as fit, and always the last one", () => {
    const shown = (count: number) => Array.from({ length: count }, (_, at) => at).filter(labelled(count, 5));
    assert.deepEqual(shown(5), [0, 1, 2, 3, 4]);
    assert.deepEqual(shown(6), [1, 3, 5]);
    assert.equal(shown(90).at(-1), 89);
  });
});

describe("dashboard: shares in words", () => {
  test("100% and 0% appear only where they are exact", () => {
    assert.deepEqual([0, 0.00001, 0.5, 0.99999, 1].map(percentText), [
      "0%",
      "0.1%",
      "50.0%",
      "99.9%",
      "100%",
    ]);
  });
});

describe("bars of shares", () => {
  test("are parts of the whole, not of the largest", () => {
    const { html } = shareBars("c", "w", [
      { name: "a", count: 3 },
      { name: "b", count: 1 },
    ]);
    assert.deepEqual(
      [...html.matchAll(/share-part" width="([\d.]+)"/g)].map(([, width]) => width),
      ["75", "25"],
    );
  });
});

describe("dashboard: drawings", () => {
  const bars = [
    { word: "<b>", tip: "a & b", value: 500, beside: 0 },
    { word: "2", tip: "two", value: 0, beside: 1 },
  ];
  const plot = { id: "p", title: "Title", about: "About", tickText: String, least: 1, bars };

  test("have a title and a description, escape their texts and set no inline style", () => {
    const { html } = barPlot(plot);
    assert.match(html, /role="img" aria-labelledby="p-wide-title p-wide-about"/);
    assert.match(html, /<title>a &amp; b<\/title>/);
    assert.doesNotMatch(html, /<b>|style=|NaN|undefined/);
    assert.equal(html.match(/class="bar-main"/g)?.length, 3, "one bar, drawn for three widths");
    assert.equal(html.match(/class="bar-beside"/g)?.length, 3);
  });

  test("a line has a gap where a share is undefined", () => {
    const points = [0.5, 1, undefined, 0].map((share) => ({ word: "w", tip: "t", share }));
    const { html } = linePlot({ id: "l", title: "T", about: "A", points });
    assert.match(html, /d="M[\d. ]+L[\d. ]+M[\d. ]+"/);
    assert.equal(html.match(/<circle/g)?.length, 9, "three points, drawn for three widths");
    assert.doesNotMatch(linePlot({ id: "l", title: "T", about: "A", points: [] }).html, /NaN/);
  });
});
