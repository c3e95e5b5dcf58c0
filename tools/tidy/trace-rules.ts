import type { Problem, RepoFile, Rule } from "./problem.ts";

/** Traces that are allowed, each with its reason. `found` is the complete match. */
export type AllowedTrace = { readonly path: string; readonly found: string; readonly why: string };
const ALLOWED_TRACES: readonly AllowedTrace[] = [];

type Trace = {
  readonly rule: Rule;
  readonly pattern: RegExp;
  readonly only?: (path: string) => boolean;
  readonly harmless?: (found: string, before: string) => boolean;
  readonly message: string;
  readonly fix: string;
};

const TRACES: readonly Trace[] = [
  {
    rule: "machine-path",
    pattern:
      /(?<![\w.~*}-])\/(?:(?:work|root)(?:\/(?:[\w./-]*\w)?|(?=["'`\s]|$))|(?:home|Users)\/[\w./-]*\w)|\b[A-Z]:\\Users\b/g,
    message: "is a path of one machine",
    fix: "make it relative to the checkout, or a setting",
  },
  {
    rule: "registry-host",
    pattern: /\bregistry\.(?:npmjs|yarnpkg)\b|\bnpm\.pkg\.github\b/g,
    message: "names a package registry",
    fix: "leave the host out: every installation has its own",
  },
  {
    rule: "registry-host",
    pattern: /"resolved":\s*"(?:https?|git)\b/g,
    only: (path) => path.endsWith("package-lock.json"),
    message: "says where a package came from",
    fix: "lock again with omit-lockfile-registry-resolved=true",
  },
  {
    rule: "registry-host",
    pattern: /^\s*(?:@[\w-]+:)?registry\s*=/g,
    only: (path) => path.endsWith(".npmrc"),
    message: "sets a package registry",
    fix: "leave the host out: every installation has its own",
  },
  {
    rule: "e-mail",
    pattern: /(?<![\w.+-])[\w.+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}\b/gi,
    harmless: (found, before) => isExampleDomain(found) || isFileName(found) || isInsideUrl(before),
    message: "may be a person's e-mail address",
    fix: "use an address at example.com, or one ending in .example or .test",
  },
];

/** Nothing that belongs to one machine, one workplace or one person is left in a file. */
export function traceProblems(
  { path, text }: RepoFile,
  allowed: readonly AllowedTrace[] = ALLOWED_TRACES,
): readonly Problem[] {
  const problems: Problem[] = [];
  const traces = TRACES.filter((trace) => trace.only?.(path) ?? true);
  for (const [index, line] of text.split("\n").entries()) {
    for (const { rule, pattern, harmless, message, fix } of traces) {
      for (const match of line.matchAll(pattern)) {
        const found = match[0];
        if (harmless?.(found, line.slice(0, match.index))) continue;
        if (allowed.some((trace) => trace.path === path && trace.found === found)) continue;
        problems.push({ path, line: index + 1, rule, message: `"${found.trim()}" ${message}`, fix });
      }
    }
  }
  return problems;
}

function isExampleDomain(address: string): boolean {
  return /[@.](?:example\.(?:com|net|org)|[a-z0-9-]+\.(?:example|test|invalid|localhost))$/i.test(address);
}

function isFileName(found: string): boolean {
  return /\.(?:png|svg|jpe?g|webp|css|js|ts|service)$/.test(found);
}

/** `postgres://someone:secret@host.name` is a connection, not an address. */
function isInsideUrl(before: string): boolean {
  return /:\/\/[^\s"'`]*$/.test(before);
}
