/** Markup in which every text is escaped, because only `html` creates it. */
export type Html = { readonly html: string };
type Part = Html | string | number | undefined | false | readonly Html[];

export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: String.raw({ raw: fixed }, ...parts.map(fill)) };
}

function fill(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "object") return "html" in part ? part.html : part.map((one) => one.html).join("");
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
