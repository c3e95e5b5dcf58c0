import { posix } from "node:path";
import {
  FEATURE_ORDER,
  featureOf,
  type Kind,
  PLATFORM_ORDER,
  type Place,
  placeOf,
  platformFolderOf,
} from "./places.ts";
import { isCode, isIn, type Problem, type RepoFile } from "./problem.ts";
import type { Scan } from "./scan.ts";

type Target = Kind | "node" | "npm" | "client" | "peer";

const FEATURE: readonly Target[] = ["kernel", "port", "platform", "cards", "index"];
const PAGES: readonly Target[] = [
  "kernel",
  "port",
  "platform",
  "cards",
  "index",
  "simulator",
  "paying",
  "ui",
  "protocol",
  "node",
  "npm",
];

/** Who may import whom, beside their own folder. Undefined: everything but tooling and examples. */
const TABLE: Readonly<Partial<Record<Kind, readonly Target[]>>> = {
  kernel: [],
  port: ["kernel"],
  "wallet tokens": ["kernel", "port", "platform", "cards", "node"],
  connector: ["kernel", "port", "wallet tokens", "platform", "node", "npm"],
  // The fake vendors of the sandbox are opened by the real connectors.
  simulator: ["kernel", "port", "connector", "wallet tokens", "platform", "node", "npm"],
  registry: ["kernel", "port", "platform", "connector", "simulator"],
  platform: ["kernel", "port", "platform", "cards", "node", "npm"],
  cards: ["kernel", "npm"],
  noun: ["kernel", "index"],
  feature: FEATURE,
  index: FEATURE,
  pages: PAGES,
  "pages index": PAGES,
  cli: ["kernel", "platform", "index", "pages index", "app", "node"],
  protocol: ["kernel"],
  payui: ["protocol", "kernel"],
  ui: ["kernel", "protocol", "cards", "npm"],
  paying: ["ui", "protocol", "kernel"],
  "browser app": ["paying", "ui", "protocol", "kernel"],
  package: ["node", "client", "peer"],
  example: ["node", "client"],
};

const UNCHECKED: readonly Kind[] = ["tooling", "outside", "unknown"];

export function importProblems(file: RepoFile, scan: Scan): readonly Problem[] {
  const { path } = file;
  const from = placeOf(path);
  if (UNCHECKED.includes(from.kind)) return [];
  const problems: Problem[] = [];
  for (const { line, text } of scan.imports) {
    const problem = judge(path, from, text);
    if (problem !== undefined) problems.push({ path, line, ...problem });
  }
  // Where npm is allowed a computed import hides nothing; elsewhere it could hide anything.
  if (TABLE[from.kind]?.includes("npm") === false) {
    for (const line of scan.unreadable) {
      const message = "the target of this dynamic import is computed, so the import table cannot be checked";
      const fix = "name the file in a literal, or let src/app choose and pass the result in";
      problems.push({ path, line, rule: "unreadable-import", message, fix });
    }
  }
  return problems;
}

type Judgement = Pick<Problem, "rule" | "message" | "fix">;

function judge(path: string, from: Place, specifier: string): Judgement | undefined {
  const relative = specifier.startsWith(".");
  const to = relative ? posix.join(posix.dirname(path), specifier) : specifier;
  const place: { readonly kind: Target; readonly unit: string } = relative ? placeOf(to) : bare(specifier);
  if (from.kind !== "noun" && place.unit === from.unit) return undefined;

  if (path.startsWith("src/features/") && to.startsWith("src/features/") && place.unit !== from.unit) {
    return judgeFeature(featureOf(path), featureOf(to), place.kind);
  }
  if (path.startsWith("src/platform/") && to.startsWith("src/platform/") && from.kind !== "cards") {
    return judgePlatform(platformFolderOf(path), platformFolderOf(to));
  }
  if (from.kind === "cli" && to.startsWith("src/features/") && place.kind !== "index") {
    return pastIndex(featureOf(to));
  }
  const allowed = TABLE[from.kind];
  const isAllowed =
    allowed === undefined ? !["tooling", "example"].includes(place.kind) : allowed.includes(place.kind);
  if (isAllowed) return undefined;
  const own = from.kind === "noun" ? "being pure," : "beside its own folder";
  const names =
    allowed === undefined ? "all but tests, tools, bench and examples" : allowed.join(", ") || "nothing";
  return {
    rule: "imports",
    message: `a file of kind "${from.kind}" may not import ${JSON.stringify(specifier)} (${place.kind})`,
    fix: `${own} it may import: ${names}; see TABLE in tools/tidy/import-rules.ts`,
  };
}

function judgePlatform(from: string, to: string): Judgement | undefined {
  if (PLATFORM_ORDER.indexOf(to) < PLATFORM_ORDER.indexOf(from)) return undefined;
  return {
    rule: "platform-order",
    message: `${from} uses ${to}, which comes after it`,
    fix: "move the shared part down, or let the caller pass it in; see PLATFORM_ORDER in tools/tidy/places.ts",
  };
}

function judgeFeature(from: string, to: string, kind: Target): Judgement | undefined {
  const place = FEATURE_ORDER.indexOf(from);
  if (place !== -1 && FEATURE_ORDER.indexOf(to) > place) {
    return {
      rule: "feature-order",
      message: `${from} uses ${to}, which comes after it`,
      fix: `let ${to} orchestrate: the later of two features calls the earlier one`,
    };
  }
  return kind === "index" ? undefined : pastIndex(to);
}

function pastIndex(feature: string): Judgement {
  return {
    rule: "past-index",
    message: `this reaches into ${feature} without its index`,
    fix: `import from src/features/${feature}/index.ts, and export the name there if other features may use it`,
  };
}

/** Our own package under the name that integrators know; the examples use nothing else, other packages its types. */
const CLIENT = /^@tidegate\/client(?:\/|$)/;

/** What the integrator's own project brings: a package for it lists this as a peer, never as a dependency. */
const PEER = /^(?:react|@medusajs\/framework\/(?:types|utils))$/;

function bare(specifier: string): { readonly kind: Target; readonly unit: string } {
  if (CLIENT.test(specifier)) return { kind: "client", unit: specifier };
  if (PEER.test(specifier)) return { kind: "peer", unit: specifier };
  return { kind: specifier.startsWith("node:") ? "node" : "npm", unit: specifier };
}

/** Code in an unknown place would escape the import table and the orders. */
export function placeProblems(files: readonly RepoFile[]): readonly Problem[] {
  const reported = new Set<string>();
  return files.flatMap(({ path }) => {
    const judgement = isCode(path) ? judgePlace(path) : undefined;
    if (judgement === undefined || reported.has(judgement.message)) return [];
    if (judgement.message !== NO_PLACE) reported.add(judgement.message);
    return [{ path, line: 1, rule: "unknown-place", ...judgement }];
  });
}

const NO_PLACE = "the import table has no place for this file";

function judgePlace(path: string): Pick<Problem, "message" | "fix"> | undefined {
  if (placeOf(path).kind === "unknown") {
    const fix = "put it into one of the folders that ARCHITECTURE.md names, or extend tools/tidy/places.ts";
    return { message: NO_PLACE, fix };
  }
  const [noun, name, order, constant] = path.startsWith("src/features/")
    ? (["feature", featureOf(path), FEATURE_ORDER, "FEATURE_ORDER"] as const)
    : (["folder", platformFolderOf(path), PLATFORM_ORDER, "PLATFORM_ORDER"] as const);
  if (!isIn(path, "src/features", "src/platform") || order.includes(name)) return undefined;
  return {
    message: `the ${noun} ${name} is missing in ${constant}`,
    fix: `add it to ${constant} in tools/tidy/places.ts, after everything that it uses`,
  };
}
