import type { RepoFile, Rule } from "./problem.ts";

/** A planted problem and its twin, which differs as little as possible and is allowed. `beside` is in both trees. */
export type Plant = {
  readonly rule: Rule;
  readonly bad: RepoFile;
  readonly twin: RepoFile;
  readonly beside?: readonly RepoFile[];
};

export type Plants = Readonly<Record<string, readonly Plant[]>>;

export function file(path: string, text = ""): RepoFile {
  return { path, text };
}

export function lines(count: number): string {
  return "a;\n".repeat(count);
}

/** The same file, with something it may not import and something it may. */
export function importing(rule: Rule, path: string, forbidden: string, allowed: string): Plant {
  return writing(rule, path, `import { a } from "${forbidden}";`, `import { a } from "${allowed}";`);
}

/** The same file with two texts. */
export function writing(rule: Rule, path: string, bad: string, twin: string): Plant {
  return { rule, bad: file(path, bad), twin: file(path, twin) };
}

/** The same text in two files. */
export function placing(rule: Rule, text: string, bad: string, twin: string): Plant {
  return { rule, bad: file(bad, text), twin: file(twin, text) };
}
