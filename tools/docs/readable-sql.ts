/**
 * PostgreSQL's own words for a definition in the way we write SQL: small letters, and without the casts, parentheses
 * and defaults that only say what anybody knows. Texts between quotes and the bodies of functions stay as they are.
 */
export function readableSql(definition: string): string {
  return definition
    .split(/(\$function\$[\s\S]*\$function\$|'(?:[^']|'')*'|"[^"]*")/)
    .map((part, index) => (index % 2 === 0 ? quiet(part) : part))
    .join("")
    .replace(/'(-?\d+)'::bigint/g, "$1")
    .replace(/('(?:[^']|'')*')::text(\[\])?/g, "$1")
    .replace(/ = any \(array\[([^\]]*)\]\)/g, " in ($1)")
    .replace(/ using btree /g, " ")
    .replace(/ where \((.*)\)$/, " where $1")
    .replace(/timestamp with time zone/g, "timestamptz");
}

function quiet(part: string): string {
  return part.replace(/\b[A-Z]{2,}\b/g, (word) => word.toLowerCase());
}
