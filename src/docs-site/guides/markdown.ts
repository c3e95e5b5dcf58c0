import MarkdownIt, { type Token } from "markdown-it";
import { codeTabs } from "../examples/code-tabs.ts";
import { callIn } from "../examples/example-call.ts";
import { type Html, html } from "../reference/html.ts";
import { anchorOf } from "./anchor.ts";

/** Returns the address of a link's target, or undefined if the gateway does not serve the target. */
export type ResolveLink = (target: string) => string | undefined;

/** `html: false` escapes every tag of a page. Pictures are off because the gateway serves none beside the guides. */
const markdown = new MarkdownIt({ html: false }).disable("image");

/** Comments are notes to authors and tests. Only the block parser knows whether one is part of a code block. */
markdown.block.ruler.before(
  "html_block",
  "comment",
  (state, line, _end, isProbe) => {
    const text = state.getLines(line, line + 1, state.blkIndent, false).trim();
    if (!/^<!--.*-->$/.test(text)) return false;
    if (!isProbe) state.line = line + 1;
    return true;
  },
  { alt: ["paragraph", "reference", "blockquote"] },
);

const codeBlock = (tokens: readonly Token[], at: number) =>
  html`<pre tabindex="0"><code>${(tokens[at]?.content ?? "").replace(/\n$/, "")}</code></pre>\n`.html;

const rules: (typeof markdown)["renderer"]["rules"] = {
  softbreak: () => " ",
  // A long name of a setting may break between its words: it would take the room of the column that explains it.
  code_inline: (tokens, at) => {
    const { content = "" } = tokens[at] ?? {};
    const words = /^[A-Z0-9_]{16,}$/.test(content) ? content.split(/(?<=_)/) : [content];
    return html`<code>${words.map((word, place) => html`${place > 0 && html`<wbr />`}${word}`)}</code>`.html;
  },
  code_block: codeBlock,
  // A call of the API is shown in every language.
  fence: (tokens, at, _options, env) => {
    const { info = "", content = "" } = tokens[at] ?? {};
    return info === "http" ? codeTabs(callIn(content, String(env?.["server"]))).html : codeBlock(tokens, at);
  },
  heading_open: (tokens, at) => {
    const tag = tokens[at]?.tag ?? "";
    const id = anchorOf(plainText(tokens[at + 1]));
    return tag === "h1" ? "<h1>" : html`<${tag} id="${id}"><a href="#${id}">`.html;
  },
  heading_close: (tokens, at) => {
    const tag = tokens[at]?.tag ?? "";
    return tag === "h1" ? "</h1>\n" : `</a></${tag}>\n`;
  },
  table_open: () => '<div class="scroll" tabindex="0"><table>',
  table_close: () => "</table></div>\n",
  // An empty header would name a column with nothing.
  th_open: (tokens, at) => (tokens[at + 1]?.content === "" ? "<td>" : '<th scope="col">'),
  th_close: (tokens, at) => (tokens[at - 1]?.content === "" ? "</td>" : "</th>"),
  // The default writes a column's alignment as an inline style, which the pages' content security policy blocks.
  td_open: () => "<td>",
};
Object.assign(markdown.renderer.rules, rules);

/** Renders a page of the docs. Everything that is not Markdown reaches the reader as text, tags included. */
export function renderMarkdown(text: string, resolveLink: ResolveLink, server: string): Html {
  const tokens = withoutEmptyHeads(markdown.parse(withoutSource(text), {}));
  for (const { children } of tokens) resolveLinks(children ?? [], resolveLink);
  return { html: markdown.renderer.render(tokens, markdown.options, { server }) };
}

/** A generated page says to its authors where it is made; readers cannot change it there. */
function withoutSource(text: string): string {
  return text.replace(/^(# .*\n\n)Made from .*\n\n/, "$1");
}

/**
 * Returns a page's title and first paragraph in plain text. A generated page names its source between the two, so three
 * blocks are enough: parsing every page to its end would block the process for 100 ms.
 */
export function summarise(text: string): { readonly title: string; readonly lead: string } {
  const tokens = markdown.parse(text.split("\n\n", 3).join("\n\n"), {});
  const texts = (tag: string) =>
    tokens.filter((_, at) => tokens[at - 1]?.tag === tag && tokens[at - 1]?.nesting === 1).map(plainText);
  const lead = texts("p").find((paragraph) => !paragraph.startsWith("Made from"));
  return { title: texts("h1")[0] ?? "", lead: lead ?? "" };
}

function plainText(block: Token | undefined): string {
  const parts = block?.children ?? [];
  return parts.map(({ type, content }) => (type === "softbreak" ? " " : content)).join("");
}

/** A table whose headers are all empty lists names and their meanings: it has no header row. */
function withoutEmptyHeads(tokens: readonly Token[]): Token[] {
  const rendered: Token[] = [];
  for (const token of tokens) {
    rendered.push(token);
    if (token.type !== "thead_close") continue;
    const start = rendered.findLastIndex(({ type }) => type === "thead_open");
    if (rendered.slice(start).every(({ content }) => content === "")) rendered.length = start;
  }
  return rendered;
}

/** Replaces a link to something that is not served, such as a file of the repository, with its text. */
function resolveLinks(parts: readonly Token[], resolveLink: ResolveLink): void {
  let isServed = true;
  for (const part of parts) {
    if (part.type === "link_open") {
      const address = resolveLink(String(part.attrGet("href")));
      isServed = address !== undefined;
      if (address !== undefined) part.attrSet("href", address);
    }
    if (part.type === "link_open" || part.type === "link_close") part.hidden = !isServed;
  }
}
