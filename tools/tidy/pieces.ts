/**
 * `open` is a piece of template up to its first or next `${`; `close` is the one that ends the template.
 * Quotes, backticks and the braces of a substitution belong to their piece.
 */
export type Piece = {
  readonly kind: "code" | "comment" | "string" | "regex" | "open" | "close";
  readonly start: number;
  readonly text: string;
};

const PLAIN = /[^"'`/{}]+/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const STRING = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y;
const TEMPLATE = /[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;

/** After these words a slash starts a regular expression; after any other word it divides. */
const BEFORE_REGEX: ReadonlySet<string> = new Set(
  "await case do else in of return throw typeof void yield".split(" "),
);

/**
 * One walk over the source. It is no parser: it only knows where comments and literals begin and end, which
 * is all that the rules need. A quote that does not close on its line is text (an apostrophe in JSX).
 */
export function* pieces(text: string): Generator<Piece> {
  /** One entry per template we are inside of: how many braces are open in its present substitution. */
  const templates: number[] = [];
  let start = 0;
  let before = "";

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = start;
    return pattern.exec(text)?.[0];
  };
  const next = (): Omit<Piece, "start"> => {
    const plain = match(PLAIN);
    if (plain !== undefined) return { kind: "code", text: plain };
    const char = text.charAt(start);
    if (char === "`" || (char === "}" && templates.at(-1) === 0)) {
      const chunk = match(TEMPLATE) ?? char;
      if (char === "}") templates.pop();
      if (!chunk.endsWith("${")) return { kind: "close", text: chunk };
      templates.push(0);
      return { kind: "open", text: chunk };
    }
    if (char === "{" || char === "}") {
      const braces = templates.pop();
      if (braces !== undefined) templates.push(char === "{" ? braces + 1 : braces - 1);
      return { kind: "code", text: char };
    }
    if (char === "/") {
      const comment = match(COMMENT);
      if (comment !== undefined) return { kind: "comment", text: comment };
      const regex = mayStartRegex(before) ? match(REGEX) : undefined;
      return regex === undefined ? { kind: "code", text: char } : { kind: "regex", text: regex };
    }
    const string = match(STRING);
    return string === undefined ? { kind: "code", text: char } : { kind: "string", text: string };
  };

  while (start < text.length) {
    const piece = next();
    yield { ...piece, start };
    start += piece.text.length;
    if (piece.kind === "code") before = piece.text.trimEnd() || before;
    else if (piece.kind !== "comment") before = piece.kind === "open" ? "{" : '"';
  }
}

function mayStartRegex(before: string): boolean {
  const word = /[\w$]+$/.exec(before)?.[0];
  if (word !== undefined) return BEFORE_REGEX.has(word);
  return !/[)\]}"<]$/.test(before);
}
