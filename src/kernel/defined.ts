/** What `defined` leaves: a member that may be undefined is optional, and never there with that value. */
export type Defined<Members> = {
  readonly [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  readonly [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
};

/** Leaves out the members that are undefined. Copying costs less than `delete`, which slows every later read. */
export function defined<const Members extends object>(members: Members): Defined<Members> {
  const kept: { [name: string]: unknown } = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept as Defined<Members>;
}
