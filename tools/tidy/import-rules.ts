import { posix } from "node:path";
import { isCode, type Offence, type RepoFile } from "./offence.ts";
import { FEATURE_ORDER, featureOf, type Kind, type Place, placeOf } from "./places.ts";
import type { Scan } from "./scan.ts";

type Target = Kind | "node" | "npm" | "client";

const FEATURE: readonly Target[] = ["kernel", "port", "platform", "cards", "front door"];

/** Who may import whom, beside their own folder. Undefined: everything but the workshop and the examples. */
const TABLE: Readonly<Partial<Record<Kind, readonly Target[]>>> = {
  kernel: [],
  port: ["kernel"],
  "wallet tokens": ["kernel", "port", "platform", "cards", "node"],
  connector: ["kernel", "port", "wallet tokens", "platform", "node", "npm"],
  // The fake vendors of the sandbox are opened by the real connectors.
  simulator: ["kernel", "port", "connector", "wallet tokens", "platform", "node", "npm"],
  registry: ["kernel", "port", "platform", "connector", "simulator"],
  platform: ["kernel", "port", "node", "npm"],
  cards: ["kernel", "npm"],
  noun: ["kernel", "front door"],
  feature: FEATURE,
  wire: FEATURE,
  "front door": FEATURE,
  room: [
    "kernel",
    "port",
    "platform",
    "cards",
    "front door",
    "simulator",
    "paying",
    "ui",
    "protocol",
    "node",
    "npm",
  ],
  cli: ["kernel", "platform", "front door", "app", "node"],
  protocol: [],
  payui: ["protocol"],
  ui: ["kernel", "protocol", "cards", "npm"],
  paying: ["ui", "protocol", "kernel"],
  "browser app": ["paying", "ui", "protocol", "kernel", "wire"],
  package: ["node"],
  example: ["node", "client"],
};

const UNCHECKED: readonly Kind[] = ["workshop", "outside", "unknown"];

export function importOffences(file: RepoFile, scan: Scan): readonly Offence[] {
  const { path } = file;
  const from = placeOf(path);
  if (UNCHECKED.includes(from.kind)) return [];
  const offences: Offence[] = [];
  for (const { line, text } of scan.imports) {
    const offence = judge(path, from, text);
    if (offence !== undefined) offences.push({ path, line, ...offence });
  }
  // Where npm is allowed a computed import hides nothing; elsewhere it could hide anything.
  if (TABLE[from.kind]?.includes("npm") === false) {
    for (const line of scan.unreadable) {
      const problem = "the target of this dynamic import is computed, so nobody can tell what it brings in";
      const mend = "name the file in a literal, or let src/app choose and pass the result in";
      offences.push({ path, line, rule: "unreadable-import", problem, mend });
    }
  }
  return offences;
}

type Judgement = Pick<Offence, "rule" | "problem" | "mend">;

function judge(path: string, from: Place, specifier: string): Judgement | undefined {
  const relative = specifier.startsWith(".");
  const to = relative ? posix.join(posix.dirname(path), specifier) : specifier;
  const place: { readonly kind: Target; readonly unit: string } = relative ? placeOf(to) : bare(specifier);
  if (from.kind !== "noun" && place.unit === from.unit) return undefined;

  if (path.startsWith("src/features/") && to.startsWith("src/features/") && place.unit !== from.unit) {
    return judgeNeighbour(featureOf(path), featureOf(to), place.kind);
  }
  if (from.kind === "cli" && to.startsWith("src/features/") && place.kind !== "front door") {
    return throughTheDoor(featureOf(to));
  }
  const allowed = TABLE[from.kind];
  const may =
    allowed === undefined ? !["workshop", "example"].includes(place.kind) : allowed.includes(place.kind);
  if (may) return undefined;
  const own = from.kind === "noun" ? "being pure," : "beside its own folder";
  const names =
    allowed === undefined ? "all but tests, tools, bench and examples" : allowed.join(", ") || "nothing";
  return {
    rule: "imports",
    problem: `a file of kind "${from.kind}" may not import ${JSON.stringify(specifier)} (${place.kind})`,
    mend: `${own} it may import: ${names}; see TABLE in tools/tidy/import-rules.ts`,
  };
}

function judgeNeighbour(from: string, to: string, kind: Target): Judgement | undefined {
  const place = FEATURE_ORDER.indexOf(from);
  if (place !== -1 && FEATURE_ORDER.indexOf(to) > place) {
    return {
      rule: "feature-order",
      problem: `${from} uses ${to}, which comes after it`,
      mend: `let ${to} orchestrate: the later of two features calls the earlier one`,
    };
  }
  return kind === "front door" ? undefined : throughTheDoor(to);
}

function throughTheDoor(feature: string): Judgement {
  return {
    rule: "front-door",
    problem: `this reaches into ${feature} past its front door`,
    mend: `import from src/features/${feature}/index.ts, and export the name there if others should have it`,
  };
}

/** Our own package under the name that integrators know; the examples use nothing else. */
const CLIENT = /^@tidegate\/client(?:\/|$)/;

function bare(specifier: string): { readonly kind: Target; readonly unit: string } {
  if (CLIENT.test(specifier)) return { kind: "client", unit: specifier };
  return { kind: specifier.startsWith("node:") ? "node" : "npm", unit: specifier };
}

/** Code that stands in no known place escapes the table, so it is an offence of its own. */
export function placeOffences(files: readonly RepoFile[]): readonly Offence[] {
  const offences: Offence[] = [];
  const strangers = new Set<string>();
  for (const { path } of files) {
    const feature = featureOf(path);
    if (!isCode(path)) continue;
    if (placeOf(path).kind === "unknown") {
      const mend =
        "put it into one of the folders that ARCHITECTURE.md names, or extend tools/tidy/places.ts";
      const problem = "this file stands in no place that the import table knows";
      offences.push({ path, line: 1, rule: "unknown-place", problem, mend });
    } else if (
      path.startsWith("src/features/") &&
      !FEATURE_ORDER.includes(feature) &&
      !strangers.has(feature)
    ) {
      strangers.add(feature);
      const problem = `the feature ${feature} has no place in the order of features`;
      const mend = "add it to FEATURE_ORDER in tools/tidy/places.ts, after everything it uses";
      offences.push({ path, line: 1, rule: "unknown-place", problem, mend });
    }
  }
  return offences;
}
