/** A merchant's own pairs on a resource. Null where it has none. */
export type Metadata = Readonly<Record<string, string>>;

/** No pairs are the same as no metadata. */
export function metadataOf(input: Metadata | undefined): Metadata | null {
  return input === undefined || Object.keys(input).length === 0 ? null : input;
}

/** The same pairs, in any order. */
export function isSameMetadata(one: Metadata | null, other: Metadata | null): boolean {
  const [first, second] = [one ?? {}, other ?? {}];
  const keys = Object.keys(first);
  return (
    keys.length === Object.keys(second).length &&
    keys.every((key) => Object.hasOwn(second, key) && first[key] === second[key])
  );
}

/** The metadata after a change: pairs that are sent replace all that there were. */
export function changedMetadata(before: Metadata | null, input: Metadata | undefined): Metadata | null {
  if (input === undefined) return before;
  const after = metadataOf(input);
  return isSameMetadata(before, after) ? before : after;
}
