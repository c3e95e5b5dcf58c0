import { pieces } from "./pieces.ts";
import { lineAt } from "./problem.ts";

export type Found = { readonly line: number; readonly text: string };

export type Scan = {
  /** The source with comments and the insides of literals blanked; every offset and line stays where it was. */
  readonly code: string;
  /** Strings and templates; `SUBSTITUTION` stands where a template had one. */
  readonly literals: readonly Found[];
  readonly comments: readonly Found[];
  /** What static imports, re-exports, dynamic imports and requires name, type-only ones too. */
  readonly imports: readonly Found[];
  /** Lines of dynamic imports whose target is computed, so no table can be held against it. */
  readonly unreadable: readonly number[];
};

const SUBSTITUTION = "\uFFFC";

export function scan(text: string): Scan {
  const comments: Found[] = [];
  const literals = new Map<number, string>();
  const openTemplates: { readonly start: number; content: string }[] = [];
  let code = "";

  for (const piece of pieces(text)) {
    code += piece.kind === "code" ? piece.text : blank(piece.text, piece.kind === "comment" ? 0 : 1);
    if (piece.kind === "comment") comments.push({ line: lineAt(text, piece.start), text: piece.text });
    if (piece.kind === "string") literals.set(piece.start, piece.text.slice(1, -1));
    if (piece.kind === "open" || piece.kind === "close") {
      const earlier = piece.text.startsWith("}") ? openTemplates.pop() : undefined;
      const start = earlier?.start ?? piece.start;
      const content = (earlier?.content ?? "") + piece.text.slice(1, piece.kind === "open" ? -2 : -1);
      if (piece.kind === "close") literals.set(start, content);
      else openTemplates.push({ start, content: content + SUBSTITUTION });
    }
  }
  const found = [...literals].map(([start, content]) => ({ line: lineAt(text, start), text: content }));
  return { code, comments, literals: found, ...findImports(code, literals) };
}

function blank(text: string, edge: number): string {
  const end = text.length - edge;
  return text.slice(0, edge) + text.slice(edge, end).replace(/[^\n]/g, " ") + text.slice(end);
}

const NAMED = /(?<![.\w$])(?:import|export)\b[\w$\s{},*]*?\bfrom\s*(?=["'])/g;
const FOR_ITS_EFFECT = /(?<![.\w$])import\s*(?=["'])/g;
const CALLED = /(?<![.\w$])(?:import|require)\s*\(\s*(?=["'`])/g;
const COMPUTED = /(?<![.\w$])import\s*\(\s*(?=[^"'`\s])/g;

function findImports(
  code: string,
  literals: ReadonlyMap<number, string>,
): Pick<Scan, "imports" | "unreadable"> {
  const imports: Found[] = [];
  const unreadable = [...code.matchAll(COMPUTED)].map((match) => lineAt(code, match.index));
  for (const pattern of [NAMED, FOR_ITS_EFFECT, CALLED]) {
    for (const match of code.matchAll(pattern)) {
      const line = lineAt(code, match.index);
      const target = literals.get(match.index + match[0].length);
      if (target?.includes(SUBSTITUTION)) unreadable.push(line);
      else if (target !== undefined) imports.push({ line, text: target });
    }
  }
  return { imports, unreadable };
}
