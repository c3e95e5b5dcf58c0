import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { plainWords } from "./inline.ts";

/** A page of the docs, as it lies in the repository. */
export type DocsPage = {
  /** Below docs, without its ending: `guides/payid`. */
  readonly name: string;
  readonly title: string;
  /** The first paragraph, in plain words. */
  readonly lead: string;
  readonly text: string;
};

export type Group = { readonly title: string; readonly pages: readonly DocsPage[] };

const DOCS = new URL("../../../docs/", import.meta.url);
export const ADDRESS = "/docs";

/** The order of reading. A guide that nobody has put into it is found at the end, by itself. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  Start: ["quick-start", "testing"],
  "Take payments": ["embedded-checkout", "hosted-page", "wallets", "payid", "direct-debit"],
  "After the payment": ["webhooks", "customers", "payouts", "client"],
  Operate: ["going-live", "operating", "vault", "pci"],
};

/** Every guide and every table that is made from the code, in groups. */
export function readShelf(): readonly Group[] {
  const guides = readFolder("guides");
  const ordered = Object.entries(ORDER).map(([title, names]) => ({
    title,
    pages: names.flatMap((name) => guides.filter((page) => page.name === `guides/${name}`)),
  }));
  const placed = new Set(ordered.flatMap(({ pages }) => pages));
  const more = { title: "More", pages: guides.filter((page) => !placed.has(page)) };
  const tables = { title: "Tables", pages: readFolder("generated") };
  return [...ordered, more, tables].filter(({ pages }) => pages.length > 0);
}

function readFolder(folder: string): readonly DocsPage[] {
  return readdirSync(new URL(folder, DOCS))
    .filter((file) => file.endsWith(".md"))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(`${folder}/${file}`, DOCS), "utf8");
      return { name: `${folder}/${file.slice(0, -3)}`, title: titleOf(text), lead: leadOf(text), text };
    });
}

/** Files for other programs that lie beside the pages. */
export const DOCS_FILES = ["grafana/alerts.yml", "grafana/tidegate.json"] as const;

export function readDocsFile(name: (typeof DOCS_FILES)[number]): string {
  return readFileSync(new URL(name, DOCS), "utf8");
}

function titleOf(text: string): string {
  return plainWords(/^# (.+)$/m.exec(text)?.[1] ?? "");
}

function leadOf(text: string): string {
  const [, first = ""] = text.split(/\n\n+/).filter((part) => !part.startsWith("Made from"));
  return plainWords(first.replaceAll("\n", " "));
}

/** Where a link of a page leads: to another page or file of the docs, to the outside, or nowhere that is served. */
export function linksFrom(
  page: DocsPage,
  served: ReadonlySet<string>,
): (target: string) => string | undefined {
  return (target) => {
    if (/^https?:/.test(target) || target.startsWith("#")) return target;
    const [path = "", anchor] = target.split("#");
    const name = posix.join(posix.dirname(page.name), path).replace(/\.md$/, "");
    if (!served.has(name)) return undefined;
    return `${ADDRESS}/${name}${anchor === undefined ? "" : `#${anchor}`}`;
  };
}
