/** Every single change that breaks an answer's schema: an extra field in an object, or a value of another type. */
export function* alteredAnswers(body: unknown): Generator<{ readonly what: string; readonly body: unknown }> {
  for (const { at, value } of placesIn(body, [])) {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const spoilt = isObject
      ? { ...value, unknownField: 1 }
      : Array.isArray(value)
        ? { of: value }
        : { was: value };
    yield { what: at.join("."), body: replaced(body, at, spoilt) };
  }
}

type Place = { readonly at: readonly string[]; readonly value: unknown };

/** The payload of an event is a resource of any shape, so nothing inside it can be wrong. */
function* placesIn(value: unknown, at: readonly string[]): Generator<Place> {
  if (at.at(-1) === "payload") return;
  yield { at, value };
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* placesIn(inner, [...at, name]);
}

function replaced(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(body))
    return body.map((item, index) => (String(index) === name ? replaced(item, rest, value) : item));
  const fields = body as Readonly<Record<string, unknown>>;
  return { ...fields, [name]: replaced(fields[name], rest, value) };
}
