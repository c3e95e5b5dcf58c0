/** A mistake in the code, and the test that fails because of it. */
export type PlantedBug = {
  readonly name: string;
  readonly file: string;
  /** Each text occurs once in the file; the second takes its place. */
  readonly edits: readonly (readonly [search: string, replacement: string])[];
  readonly check: {
    readonly file: string;
    /** A pattern of test names, so that only those run that matter. */
    readonly tests: string;
  };
};

/** The text of the file with the bug in it. Throws when the bug no longer applies. */
export function withBug({ name, file, edits }: PlantedBug, text: string): string {
  return edits.reduce((changed, [search, replacement]) => {
    const found = changed.split(search).length - 1;
    if (found !== 1)
      throw new Error(
        `planted bug "${name}" does not apply: its text occurs ${found} times in ${file}, not once`,
      );
    return changed.replace(search, () => replacement);
  }, text);
}
