type Queries = Readonly<Record<string, string | number | boolean | undefined>>;

/** The path with its parts filled in, and the query behind it. */
export function targetOf(path: string, params: Readonly<Record<string, string>>, query: object): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => part(name, params[name]));
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query as Queries)) {
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size === 0 ? filled : `${filled}?${given.toString()}`;
}

/** An empty id, or dots, would lead to another path: to a list, say. */
function part(name: string, value: string | undefined): string {
  if (typeof value !== "string" || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} is not an id`);
  return encodeURIComponent(value);
}
