type Queries = Readonly<Record<string, string | number | boolean | undefined>>;

/** The path with its parameters filled in, and the query. */
export function targetOf(path: string, params: Readonly<Record<string, string>>, query: object): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => part(name, params[name]));
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query as Queries)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? filled : `${filled}?${parameters.toString()}`;
}

/** An empty id, or dots, would lead to another path, for example to a list. */
function part(name: string, value: string | undefined): string {
  if (typeof value !== "string" || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} is not an id`);
  return encodeURIComponent(value);
}
