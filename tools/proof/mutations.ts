import { readFile } from "node:fs/promises";

/** Score and survivors of the last long run of the proof `mutations`. */
export const MUTATIONS = "docs/generated/mutations.json";

export type PublishedMutations = {
  readonly seed: number;
  readonly mutants: number;
  /** Of files that no test is named for: they are never tried. */
  readonly withoutTest: number;
  readonly withoutTestPercent: number;
  readonly tried: number;
  /** By a failing test. A run from before time-outs were counted apart has them in here. */
  readonly killed: number;
  readonly timedOut?: number;
  readonly survived: number;
  /** Killed, of those tried. */
  readonly scorePercent: number;
  /** The same, as if each mutant without a test had survived. */
  readonly scoreOfAllPercent: number;
  readonly survivors: readonly string[];
  readonly timeOuts?: readonly string[];
  readonly filesWithoutTest: Readonly<Record<string, number>>;
};

/** Undefined before the first long run. */
export async function readMutations(): Promise<PublishedMutations | undefined> {
  const text = await readFile(MUTATIONS, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as PublishedMutations);
}
