const ENGLISH = new Intl.ListFormat("en-AU", { type: "conjunction" });

/** As messages list them: a, b and c. */
export function listOf(texts: readonly string[]): string {
  return ENGLISH.format(texts);
}
