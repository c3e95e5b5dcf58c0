import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspectSvgText, testTwins } from "../../../tests/support/sample-logos.ts";

/** Rows of groups, each showing the row below `copies` times: the weight is copies to the power of rows. */
function rows(count: number, copies: number, show: (row: number) => string): string {
  const row = (index: number) => `<g id="r${index + 1}">${show(index).repeat(copies)}</g>`;
  return `<g id="r0"><path/></g>${Array.from({ length: count }, (_, index) => row(index)).join("")}`;
}

const uses = (row: number) => `<use href="#r${row}"/>`;
const paints = (row: number) => `<rect fill="url(#r${row})"/>`;
const masks = (row: number) => `<rect style="mask:url('#r${row}')"/>`;

describe("a drawing is not drawn without end", () => {
  testTwins([
    ["a billion laughs of use", rows(9, 10, uses), rows(3, 10, uses)],
    ["doubled forty times", rows(40, 2, uses), rows(8, 2, uses)],
    ["by the old name of the reference", rows(9, 10, uses).replaceAll("href", "xlink:href"), undefined],
    ["a billion patterns", rows(9, 10, paints), rows(3, 10, paints)],
    ["a billion masks", rows(9, 10, masks), rows(3, 10, masks)],
    ["use of what holds it", `<g id="a"><use href="#a"/></g>`, `<g id="a"/><use href="#a"/>`],
    [
      "use in a circle",
      `<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>`,
      `<g id="a"><use href="#b"/></g><g id="b"/>`,
    ],
    ["use of itself", `<use id="a" href="#a"/>`, `<use id="a" href="#b"/>`],
  ]);

  test("a long chain without branches is light", () => {
    assert.equal(inspectSvgText(rows(60, 1, uses)), undefined);
  });

  test("of two elements with one id the first is the one that counts, as in browsers", () => {
    assert.equal(inspectSvgText(`<g id="a"/><g id="a"><use href="#a"/></g>`), undefined);
    assert.equal(inspectSvgText(`<g id="a"><use href="#a"/></g><g id="a"/>`), "svg_unsafe");
  });

  test("10,000 elements are light and one more is not", () => {
    const copies = (more: number) =>
      `<g id="r0">${"<g/>".repeat(98)}</g>${uses(0).repeat(98)}${"<g/>".repeat(more)}`;
    assert.equal(inspectSvgText(copies(100)), undefined); // The root, the group of 99, 98 times 1 + 99, and 100.
    assert.equal(inspectSvgText(copies(101)), "svg_unsafe");
  });

  test("a colour that reads like a mark is no reference", () => {
    assert.equal(inspectSvgText(`<g id="abc" fill="#abc"/>`), undefined);
  });
});
