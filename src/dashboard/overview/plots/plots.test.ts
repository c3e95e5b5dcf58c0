import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { barPlot } from "./bar-plot.ts";
import { linePlot } from "./line-plot.ts";
import { labelled, scaleTo } from "./scale.ts";
import { percentText } from "./share-bars.ts";

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
    assert.equal(html.match(/class="bar-main"/g)?.length, 2, "one bar, drawn wide and narrow");
    assert.equal(html.match(/class="bar-beside"/g)?.length, 2);
  });

  test("a line has a gap where a share is undefined", () => {
    const points = [0.5, 1, undefined, 0].map((share) => ({ word: "w", tip: "t", share }));
    const { html } = linePlot({ id: "l", title: "T", about: "A", points });
    assert.match(html, /d="M[\d. ]+L[\d. ]+M[\d. ]+"/);
    assert.equal(html.match(/<circle/g)?.length, 6, "three points, drawn wide and narrow");
    assert.doesNotMatch(linePlot({ id: "l", title: "T", about: "A", points: [] }).html, /NaN/);
  });
});
