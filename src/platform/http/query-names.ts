import type { Schema } from "./schema.ts";

type Query = Readonly<Record<string, unknown>>;

/**
 * Parameter names match in any case. A name that is sent twice, in whatever case, becomes a list, which no parameter
 * takes; an unknown name stays as it was sent, for the refusal that names it. What follows a `[` is the caller's own.
 */
export function compileQueryNames(schema: Schema | undefined): (sent: Query) => Query {
  const { properties = {} }: { readonly properties?: object } = schema ?? {};
  const spelling = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  const spelled = (name: string): string => {
    const [word = "", ...rest] = name.split(/(?=\[)/);
    return (spelling.get(word.toLowerCase()) ?? word) + rest.join("");
  };
  return (sent) => {
    if (Object.keys(sent).every((name) => spelled(name) === name)) return sent;
    // Without a prototype, like the query itself: `__proto__` is a name like any other.
    const read = Object.create(null) as Record<string, unknown>;
    for (const [name, value] of Object.entries(sent)) {
      const known = spelled(name);
      read[known] = known in read ? [read[known], value].flat() : value;
    }
    return read;
  };
}
