import assert from "node:assert/strict";
import axe from "axe-core";
import type { Frame } from "playwright-core";

type Violation = {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly any: readonly { readonly message: string }[] }[];
};

/** WCAG 2.2 AA and axe's best practices, for one document. Frames inside it are checked separately. */
const OPTIONS = {
  iframes: false,
  resultTypes: ["violations"],
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};

export async function assertAccessible(document: Frame, what: string): Promise<void> {
  await document.evaluate(axe.source);
  const run = `axe.run(document, ${JSON.stringify(OPTIONS)}).then(({ violations }) => violations)`;
  const violations = (await document.evaluate(run)) as readonly Violation[];
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html} ${any.map(({ message }) => message).join("; ")}`),
  );
  assert.deepEqual(found, [], what);
}
