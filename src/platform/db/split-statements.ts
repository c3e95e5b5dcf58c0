/** A comment; something whose semicolons end nothing (quotes, a function's body); a semicolon; anything else. */
const TOKEN =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)|'(?:[^']|'')*'|"[^"]*"|(?<tag>\$\w*\$)[\s\S]*?\k<tag>|;|[\s\S]/g;

/**
 * The statements of a migration, without comments between words. Sent one at a time: a coordinator passes the text that it
 * was sent on to its workers, which take one statement.
 */
export function splitStatements(text: string): readonly string[] {
  const statements = [""];
  for (const { 0: token, groups } of text.matchAll(TOKEN)) {
    if (token === ";") statements.push("");
    else statements[statements.length - 1] += groups?.["comment"] === undefined ? token : " ";
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
}
