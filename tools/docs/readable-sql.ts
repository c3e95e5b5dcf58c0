/**
 * Formats PostgreSQL's definitions as we write SQL: lower case, without redundant casts, parentheses and defaults. Quoted
 * texts and function bodies stay as they are.
 */
export function readableSql(definition: string): string {
  return definition
    .split(/(\$function\$[\s\S]*\$function\$|'(?:[^']|'')*'|"[^"]*")/)
    .map((part, index) => (index % 2 === 0 ? lowerCaseKeywords(part) : part))
    .join("")
    .replace(/'(-?\d+)'::bigint/g, "$1")
    .replace(/('(?:[^']|'')*')::text(\[\])?/g, "$1")
    .replace(/ = any \(array\[([^\]]*)\]\)/g, " in ($1)")
    .replace(/ using btree /g, " ")
    .replace(/ where \((.*)\)$/, " where $1")
    .replace(/timestamp with time zone/g, "timestamptz");
}

function lowerCaseKeywords(part: string): string {
  return part.replace(/\b[A-Z]{2,}\b/g, (word) => word.toLowerCase());
}
