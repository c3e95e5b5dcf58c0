import type { Offence, RepoFile, Rule } from "./offence.ts";

/** Traces that are meant. Each says why; the whole found text must be the one named here. */
export type AllowedTrace = { readonly path: string; readonly found: string; readonly why: string };
export const ALLOWED_TRACES: readonly AllowedTrace[] = [];

type Trace = {
  readonly rule: Rule;
  readonly pattern: RegExp;
  readonly only?: (path: string) => boolean;
  readonly harmless?: (found: string, before: string) => boolean;
  readonly problem: string;
  readonly mend: string;
};

const TRACES: readonly Trace[] = [
  {
    rule: "machine-path",
    pattern:
      /(?<![\w.~*}-])\/(?:(?:work|root)(?:\/(?:[\w./-]*\w)?|(?=["'`\s]|$))|(?:home|Users)\/[\w./-]*\w)|\b[A-Z]:\\Users\b/g,
    problem: "is a path of somebody's machine",
    mend: "make it relative to the checkout, or a setting",
  },
  {
    rule: "registry-host",
    pattern: /\bregistry\.(?:npmjs|yarnpkg)\b|\bnpm\.pkg\.github\b/g,
    problem: "names a package registry",
    mend: "leave the host out: every installation has its own",
  },
  {
    rule: "registry-host",
    pattern: /"resolved":\s*"(?:https?|git)\b/g,
    only: (path) => path.endsWith("package-lock.json"),
    problem: "says where a package came from",
    mend: "lock again with omit-lockfile-registry-resolved=true",
  },
  {
    rule: "registry-host",
    pattern: /^\s*(?:@[\w-]+:)?registry\s*=/g,
    only: (path) => path.endsWith(".npmrc"),
    problem: "sets a package registry",
    mend: "leave the host out: every installation has its own",
  },
  {
    rule: "e-mail",
    pattern: /(?<![\w.+-])[\w.+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}\b/gi,
    harmless: (found, before) => isExampleDomain(found) || isFileName(found) || isInsideUrl(before),
    problem: "may be somebody's e-mail address",
    mend: "use an address at example.com, or one ending in .example or .test",
  },
];

/** Nothing that belongs to one machine, one workplace or one person is left in a file. */
export function traceOffences(
  { path, text }: RepoFile,
  allowed: readonly AllowedTrace[] = ALLOWED_TRACES,
): readonly Offence[] {
  const offences: Offence[] = [];
  const traces = TRACES.filter((trace) => trace.only?.(path) ?? true);
  for (const [index, line] of text.split("\n").entries()) {
    for (const { rule, pattern, harmless, problem, mend } of traces) {
      for (const match of line.matchAll(pattern)) {
        const found = match[0];
        if (harmless?.(found, line.slice(0, match.index))) continue;
        if (allowed.some((trace) => trace.path === path && trace.found === found)) continue;
        offences.push({ path, line: index + 1, rule, problem: `"${found.trim()}" ${problem}`, mend });
      }
    }
  }
  return offences;
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
