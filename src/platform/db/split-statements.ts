/** A comment; something whose semicolons and commas end nothing (quotes, a function's body); anything else. */
const TOKEN =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)|'(?:[^']|'')*'|"[^"]*"|(?<tag>\$\w*\$)[\s\S]*?\k<tag>|[\s\S]/g;

/**
 * The statements of a migration, without comments between words. Sent one at a time: a coordinator passes the text that it
 * was sent on to its workers, which take one statement.
 */
export function splitStatements(text: string): readonly string[] {
  return splitAt(text, ";");
}

const ALTER_TABLE = /^alter table (?:if exists )?(?:only )?\S+\s/i;

/** The same for a distributed database: each change of a table by itself, because Citus adds no constraint beside others. */
export function splitChanges(text: string): readonly string[] {
  return splitStatements(text).flatMap((statement) => {
    const [start] = ALTER_TABLE.exec(statement) ?? [];
    if (start === undefined) return statement;
    return splitAt(statement.slice(start.length), ",").map((change) => `${start.trim()} ${change}`);
  });
}

/** Splits at a sign outside of quotes, comments and parentheses. */
function splitAt(text: string, sign: ";" | ","): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const { 0: token, groups } of text.matchAll(TOKEN)) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (token === sign && depth === 0) parts.push("");
    else parts[parts.length - 1] += groups?.["comment"] === undefined ? token : " ";
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
