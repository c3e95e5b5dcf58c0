import { readFile } from "node:fs/promises";

/** Why a block is not run here: it cannot be run, or another test runs it. */
export type Mark = { readonly status: "not run" | "run by"; readonly note: string };

/** A fenced code block of a guide. */
export type Block = {
  readonly line: number;
  readonly kind: string;
  readonly text: string;
  readonly mark: Mark | undefined;
};

const FENCED = /^( *)```(\w*)\n([\s\S]*?)^\1```$/gm;
const MARK = /<!-- (not run|run by): ([^\n]+?) -->\s*$/;
const PAGE_MARK = /<!-- all run by: ([^\n]+?) -->/;

/**
 * Every block of a guide. A comment right before a block marks it as not run (and why) or names the test that runs it:
 * `<!-- not run: … -->`, `<!-- run by: tests/… -->`; `<!-- all run by: tests/… -->` marks every block of the page.
 */
export async function blocksOf(path: string): Promise<readonly Block[]> {
  return blocksIn(await readFile(new URL(`../../${path}`, import.meta.url), "utf8"));
}

/** The lines of the blocks that name this test. */
export async function linesOf(path: string, test: string): Promise<readonly string[]> {
  const blocks = (await blocksOf(path)).filter(({ mark }) => mark?.note === test);
  return blocks.flatMap(({ text }) => text.trim().split("\n"));
}

export function blocksIn(text: string): readonly Block[] {
  const [, all] = PAGE_MARK.exec(text) ?? [];
  return [...text.matchAll(FENCED)].map(({ 1: indent = "", 2: kind = "", 3: inside = "", index }) => {
    const before = text.slice(0, index);
    const [, status, note = ""] = MARK.exec(before) ?? [];
    return {
      line: before.split("\n").length,
      kind,
      text: inside.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      mark: status === "not run" || status === "run by" ? { status, note } : pageMark(all),
    };
  });
}

function pageMark(path: string | undefined): Mark | undefined {
  return path === undefined ? undefined : { status: "run by", note: path };
}
