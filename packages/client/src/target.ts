type Value = string | number | boolean | undefined;
type Queries = Readonly<Record<string, Value | Readonly<Record<string, Value>>>>;

/** The path with its parameters filled in, and the query. */
export function targetOf(path: string, params: Readonly<Record<string, string>>, query: object): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => part(name, params[name]));
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query as Queries)) {
    if (typeof value === "object") {
      for (const [key, one] of Object.entries(value)) setText(parameters, `${name}[${key}]`, one);
    } else setText(parameters, name, value);
  }
  return parameters.size === 0 ? filled : `${filled}?${parameters.toString()}`;
}

function setText(parameters: URLSearchParams, name: string, value: Value): void {
  if (value !== undefined) parameters.set(name, String(value));
}

/** An empty id, or dots, would lead to another path, for example to a list. */
function part(name: string, value: string | undefined): string {
  if (typeof value !== "string" || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} is not an id`);
  return encodeURIComponent(value);
}
