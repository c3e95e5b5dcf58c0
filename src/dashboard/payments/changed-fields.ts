import { isDeepStrictEqual } from "node:util";

/** One field of a record that an event shows with another value than the event before. */
export type Change = { readonly field: string; readonly from: unknown; readonly to: unknown };

/** They change with everything else and say nothing of their own. */
const UNTOLD: ReadonlySet<string> = new Set(["updatedDateTime", "result"]);

type Fields = Readonly<Record<string, unknown>>;

/** What changed between two events of one record. The fields of `payment` count one by one: `payment.amount`. */
export function changedFields(before: object, now: object): readonly Change[] {
  const [earlier, later] = [flat(before), flat(now)];
  const names = new Set([...Object.keys(earlier), ...Object.keys(later)]);
  return [...names]
    .filter((field) => !UNTOLD.has(field) && !isDeepStrictEqual(earlier[field], later[field]))
    .map((field) => ({ field, from: earlier[field], to: later[field] }));
}

function flat(payload: object): Fields {
  const { payment, ...rest } = payload as Fields;
  const all: Record<string, unknown> = { ...rest };
  for (const [name, value] of Object.entries((payment ?? {}) as Fields)) all[`payment.${name}`] = value;
  return all;
}
