import { isIn, lineAt, type Offence, type RepoFile } from "./offence.ts";
import { FEATURE_ORDER } from "./places.ts";
import type { Scan } from "./scan.ts";

const FOLDERS = "src|browser|docs|tools|tests|bench|migrations|packages|examples|bin";

/** A path from the root of the repository; `*` and `…` stand for any part of a name. */
const FROM_ROOT = new RegExp(`(?<![\\w./{}@:=-])(?:${FOLDERS})/[\\w./…*-]*[\\w…*/]`, "g");
/** A source file by its name, or by the end of its path. Other endings are often somebody else's file. */
const BY_NAME = /^[\w…*-]+(?:[./][\w…*-]+)*\.(?:ts|sql)$/;
const INLINE_CODE = /`([^`\n]+)`/g;
const FENCED = /^(```|~~~)[\s\S]*?^\1/gm;
const SCRIPT = /\bnpm run (?:--silent )?([\w:-]+)/g;
/** What a build makes is not in the repository. */
const BUILT = /(?:^|\/)dist(?:\/|$)/;

type Mention = { readonly line: number; readonly path: string };

/** What a page, a comment or a message of ours names must be there: a newcomer follows these names. */
export function mentionOffences(
  files: readonly RepoFile[],
  scanned: ReadonlyMap<string, Scan>,
): readonly Offence[] {
  const isThere = finder(files);
  const scripts = scriptsOf(files);
  const offence = (path: string, line: number, name: string): Offence => ({
    path,
    line,
    rule: "dead-mention",
    problem: `there is no ${name}`,
    mend: "name what is there now, or drop the name",
  });
  return files.flatMap(({ path, text }) => {
    const scan = scanned.get(path);
    const isPage = path.endsWith(".md");
    const mentions = isPage ? inPage(text) : scan === undefined ? [] : inCode(path, scan);
    const commands = isPage ? [...text.matchAll(SCRIPT)] : [];
    return [
      ...mentions
        .filter((mention) => !BUILT.test(mention.path) && !isThere(mention.path))
        .map((mention) => offence(path, mention.line, mention.path)),
      ...commands
        .filter(([, script = ""]) => !scripts.has(script))
        .map((match) => offence(path, lineAt(text, match.index), `\`${match[0]}\``)),
    ];
  });
}

/** Of every package here: a page beside one may speak of its own. */
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

/** Comments anywhere; of what is said in the product itself, its texts too. Tests and tools speak of made-up files. */
function inCode(path: string, { comments, literals }: Scan): readonly Mention[] {
  const said = isIn(path, "src", "browser") ? [...comments, ...literals] : comments;
  return said.flatMap(({ line, text }) => fromRoot(text, line));
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

/** The map in ARCHITECTURE.md has every feature in its order, and every room of the platform and of the browser. */
export function mapOffences(files: readonly RepoFile[]): readonly Offence[] {
  const map = files.find(({ path }) => path === "ARCHITECTURE.md");
  if (map === undefined) return [];
  const offence = (problem: string, mend: string): Offence => ({
    path: map.path,
    line: 1,
    rule: "stale-map",
    problem,
    mend,
  });
  const arrows = [...map.text.matchAll(/[\w-]+(?=\s*→)|(?<=→\s*)[\w-]+/g)].map(([name]) => name);
  const order = FEATURE_ORDER.join();
  const rooms = new Set(
    files.flatMap(({ path }) => /^(?:src\/platform|browser)\/([\w-]+)\//.exec(path)?.[1] ?? []),
  );
  return [
    ...(arrows.join().includes(order)
      ? []
      : [offence("the features on the map are not those of FEATURE_ORDER", "write them in that order")]),
    ...[...rooms]
      .filter((room) => !new RegExp(`(?<![\\w-])${room}(?![\\w-])`).test(map.text))
      .map((room) => offence(`the map does not show ${room}`, "say in a few words what is in that folder")),
  ];
}
