import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Frame } from "playwright-core";

type Violation = {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly any: readonly { readonly message: string }[] }[];
};

/** The minified program: a page parses it in two thirds of the time. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** WCAG 2.2 AA and axe's best practices, for one document. Frames inside it are checked separately. */
const OPTIONS = {
  iframes: false,
  resultTypes: ["violations"],
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};

export async function assertAccessible(document: Frame, what: string): Promise<void> {
  assert.deepEqual(await accessibilityProblems(document), [], what);
}

/** One line for each element that breaks a rule, in the whole document or in one part of it. */
export async function accessibilityProblems(document: Frame, within?: string): Promise<readonly string[]> {
  if ((await document.evaluate("typeof axe")) === "undefined") await document.evaluate(AXE);
  const run = `axe.run(${within === undefined ? "document" : JSON.stringify(within)}, ${JSON.stringify(OPTIONS)}).then(({ violations }) => violations)`;
  const violations = (await document.evaluate(run)) as readonly Violation[];
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html} ${any.map(({ message }) => message).join("; ")}`),
  );
}
