import { FEATURE_ORDER, PLATFORM_ORDER } from "./places.ts";
import { isCode, isIn, lineAt, type Problem, type RepoFile } from "./problem.ts";
import type { Scan } from "./scan.ts";

const FOLDERS = "src|browser|docs|tools|tests|bench|migrations|packages|examples|bin";

/** A path from the root of the repository; `*` and `…` stand for any part of a name. */
const FROM_ROOT = new RegExp(`(?<![\\w./{}@:=-])(?:${FOLDERS})/[\\w./…*-]*[\\w…*/]`, "g");
/** A source file by its name, or by the end of its path. Files with other endings are often not ours. */
const BY_NAME = /^[\w…*-]+(?:[./][\w…*-]+)*\.(?:ts|sql)$/;
const INLINE_CODE = /`([^`\n]+)`/g;
const FENCED = /^(```|~~~)[\s\S]*?^\1/gm;
const SCRIPT = /\bnpm run (?:--silent )?([\w:-]+)/g;
/** What a build makes is not in the repository. */
const BUILT = /(?:^|\/)dist(?:\/|$)/;

type Mention = { readonly line: number; readonly path: string };

/** Files that pages, comments and messages name must exist: a newcomer follows these names. */
export function mentionProblems(
  files: readonly RepoFile[],
  scanned: ReadonlyMap<string, Scan>,
): readonly Problem[] {
  const isThere = finder(files);
  const scripts = scriptsOf(files);
  const problem = (path: string, line: number, name: string): Problem => ({
    path,
    line,
    rule: "dead-mention",
    message: `there is no ${name}`,
    fix: "name what is there now, or drop the name",
  });
  return files.flatMap(({ path, text }) => {
    const scan = scanned.get(path);
    const isPage = path.endsWith(".md");
    const mentions = isPage ? inPage(text) : scan === undefined ? [] : inCode(path, scan);
    const commands = isPage ? [...text.matchAll(SCRIPT)] : [];
    return [
      ...mentions
        .filter((mention) => !BUILT.test(mention.path) && !isThere(mention.path))
        .map((mention) => problem(path, mention.line, mention.path)),
      ...commands
        .filter(([, script = ""]) => !scripts.has(script))
        .map((match) => problem(path, lineAt(text, match.index), `\`${match[0]}\``)),
    ];
  });
}

/** A name as code has it: `InstrumentReader`, `lateApproval`. */
const NAME = /^(?:[A-Z][a-z]|[a-z]+[A-Z])[A-Za-z0-9]*$/;
/** Names in the APIs of vendors that decisions are about, and our code does not have. */
const VENDORS_NAMES = new Set(["PaymentOptions", "disputeStatus"]);

/** Decisions say why the code is as it is: a type, function or field that they name is in a source. */
export function nameMentionProblems(files: readonly RepoFile[]): readonly Problem[] {
  const decisions = files.filter(({ path }) => isIn(path, "docs/decisions"));
  if (decisions.length === 0) return [];
  const sources = files.filter(({ path }) => isCode(path));
  const known = new Set(sources.flatMap(({ text }) => text.match(/\w+/g) ?? []));
  return decisions.flatMap(({ path, text }) =>
    [...text.matchAll(INLINE_CODE)]
      .filter(([, name = ""]) => NAME.test(name) && !known.has(name) && !VENDORS_NAMES.has(name))
      .map(
        ({ index, 1: name }): Problem => ({
          path,
          line: lineAt(text, index),
          rule: "dead-name",
          message: `no source has ${name}`,
          fix: "name what is there now; a name of a vendor belongs to VENDORS_NAMES in tools/tidy/mention-rules.ts",
        }),
      ),
  );
}

/** Of every package in the repository: a package's pages may name its own scripts. */
function scriptsOf(files: readonly RepoFile[]): ReadonlySet<string> {
  const manifests = files.filter(({ path }) => /(?:^|\/)package\.json$/.test(path));
  const all = manifests.map(({ text }) => JSON.parse(text) as { readonly scripts?: object });
  return new Set(all.flatMap(({ scripts = {} }) => Object.keys(scripts)));
}

function inPage(text: string): readonly Mention[] {
  const blocks = [...text.matchAll(FENCED)].flatMap((block) => fromRoot(block[0], lineAt(text, block.index)));
  const prose = text.replace(FENCED, (block) => block.replace(/[^\n]/g, " "));
  const spans = [...prose.matchAll(INLINE_CODE)].flatMap((span) => {
    const line = lineAt(prose, span.index);
    const code = span[1] ?? "";
    return BY_NAME.test(code) ? [{ line, path: code }] : fromRoot(code, line);
  });
  return [...blocks, ...spans];
}

/** Comments anywhere; texts in the product only, because tests and tools name made-up files. */
function inCode(path: string, { comments, literals }: Scan): readonly Mention[] {
  const checked = isIn(path, "src", "browser") ? [...comments, ...literals] : comments;
  return checked.flatMap(({ line, text }) => fromRoot(text, line));
}

function fromRoot(text: string, firstLine: number): readonly Mention[] {
  return [...text.matchAll(FROM_ROOT)].map((match) => ({
    line: firstLine + lineAt(text, match.index) - 1,
    path: match[0],
  }));
}

function finder(files: readonly RepoFile[]): (path: string) => boolean {
  const known = files.flatMap(({ path }) =>
    path.split("/").map((_, at, all) => all.slice(0, at + 1).join("/")),
  );
  const all = `\n${[...new Set(known)].join("\n")}\n`;
  const answers = new Map<string, boolean>();
  return (path) => {
    const found = answers.get(path) ?? patternOf(path).test(all);
    answers.set(path, found);
    return found;
  };
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/\/$/, "").replace(/[.\\+?^$()[\]{}|]/g, "\\$&");
  return new RegExp(`[\\n/]${escaped.replace(/[*…]/g, "[^/\\n]*")}\\n`);
}

/** ARCHITECTURE.md has features and platform folders in their order, and names every folder of the browser code. */
export function mapProblems(files: readonly RepoFile[]): readonly Problem[] {
  const map = files.find(({ path }) => path === "ARCHITECTURE.md");
  if (map === undefined) return [];
  const problem = (message: string, fix: string): Problem => ({
    path: map.path,
    line: 1,
    rule: "stale-map",
    message,
    fix,
  });
  const arrows = [...map.text.matchAll(/[\w-]+(?=\s*→)|(?<=→\s*)[\w-]+/g)].map(([name]) => name).join();
  const folders = new Set(files.flatMap(({ path }) => /^browser\/([\w-]+)\//.exec(path)?.[1] ?? []));
  return [
    ...Object.entries({ FEATURE_ORDER, PLATFORM_ORDER })
      .filter(([, order]) => !arrows.includes(order.join()))
      .map(([name]) =>
        problem(`the map does not show ${name}`, "write the names in that order, with arrows"),
      ),
    ...[...folders]
      .filter((folder) => !new RegExp(`(?<![\\w-])${folder}(?![\\w-])`).test(map.text))
      .map((folder) =>
        problem(`the map does not show ${folder}`, "say in a few words what is in that folder"),
      ),
  ];
}
