import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { CODES_PAGE } from "../../kernel/codes/present-code.ts";

/** A Markdown file of the docs. */
export type DocsFile = {
  /** Its path below docs without the extension: `guides/payid`. */
  readonly name: string;
  readonly text: string;
};

/** A file with what lists of pages show of it. */
export type DocsPage = DocsFile & { readonly title: string; readonly lead: string };

export type Group = { readonly title: string; readonly pages: readonly DocsPage[] };

const DOCS = new URL("../../../docs/", import.meta.url);
export const ADDRESS = "/docs";
/** For readers of the repository. This server has a page of codes with an anchor per code. */
const CODES = "generated/codes";

/** The reading order. A guide that is missing here appears at the end, under "More". */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  Start: ["quick-start", "testing"],
  "Take payments": ["embedded-checkout", "hosted-page", "three-d-secure", "wallets", "payid", "direct-debit"],
  "After the payment": ["webhooks", "customers", "disputes", "payouts", "client", "other-languages"],
  Operate: ["going-live", "iso8583", "operating", "high-availability", "citus", "vault", "pci"],
  Extend: ["write-a-connector"],
};

/** Files for other programs that are served beside the pages. */
export const DATA_FILES = ["grafana/alerts.yml", "grafana/tidegate.json"] as const;

/** Reads every guide and every page that is generated from the code. */
export function readDocsFiles(): readonly DocsFile[] {
  return ["guides", "generated"].flatMap((folder) =>
    readdirSync(new URL(folder, DOCS))
      .filter((file) => file.endsWith(".md") && `${folder}/${file}` !== `${CODES}.md`)
      .sort()
      .map((file) => ({
        name: `${folder}/${file.slice(0, -3)}`,
        text: readFileSync(new URL(`${folder}/${file}`, DOCS), "utf8"),
      })),
  );
}

export function readDataFile(name: (typeof DATA_FILES)[number]): string {
  return readFileSync(new URL(name, DOCS), "utf8");
}

/** Guides in their reading order, then the generated pages. */
export function groupPages(pages: readonly DocsPage[]): readonly Group[] {
  const guides = pages.filter(({ name }) => name.startsWith("guides/"));
  const ordered = Object.entries(ORDER).map(([title, names]) => ({
    title,
    pages: names.flatMap((name) => guides.filter((page) => page.name === `guides/${name}`)),
  }));
  const placed = new Set(ordered.flatMap((group) => group.pages));
  const more = { title: "More", pages: guides.filter((page) => !placed.has(page)) };
  const tables = { title: "Tables", pages: pages.filter((page) => !guides.includes(page)) };
  return [...ordered, more, tables].filter((group) => group.pages.length > 0);
}

/** Resolves a page's links: to served pages and files below /docs, to other sites as they are, to nothing otherwise. */
export function linksFrom(
  { name }: DocsFile,
  served: ReadonlySet<string>,
): (target: string) => string | undefined {
  return (target) => {
    if (/^https?:/.test(target) || target.startsWith("#")) return target;
    const [path = "", anchor] = target.split("#");
    const linked = posix.join(posix.dirname(name), path).replace(/\.md$/, "");
    if (linked !== CODES && !served.has(linked)) return undefined;
    const address = linked === CODES ? CODES_PAGE : `${ADDRESS}/${linked}`;
    return `${address}${anchor === undefined ? "" : `#${anchor}`}`;
  };
}
