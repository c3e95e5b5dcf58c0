import type { PublishedCode } from "../../kernel/codes/catalogue.ts";
import { breakable, codeLink, type Html, html, prose } from "./html.ts";

export type ListedCode = Omit<PublishedCode, "message" | "status"> & {
  readonly message: string;
  readonly status: number;
};

/** A table of codes. With anchors it is the target of all links to codes. */
export function codeTable(
  ids: readonly string[],
  catalogue: Readonly<Record<string, ListedCode>>,
  { caption, anchors }: { readonly caption: string; readonly anchors: boolean },
): Html {
  const rows = ids.map((id) => {
    const code = catalogue[id];
    if (code === undefined) throw new Error(`${id} is in no catalogue`);
    return html`<tr role="row"${anchors ? html` id="${id}"` : undefined}><th role="rowheader" scope="row">${
      anchors ? html`<a class="code" href="#${id}">${id}</a>` : codeLink(id)
    } <code class="message">${breakable(code.message, "_")}</code></th><td role="cell">${code.status}</td><td role="cell">${prose(code.meaning)}</td></tr>
`;
  });
  return html`<table class="codes" role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Code</th><th role="columnheader" scope="col">HTTP</th><th role="columnheader" scope="col">What to do</th></tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>`;
}
