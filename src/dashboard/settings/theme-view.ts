import { type Html, html } from "../../../browser/ui/html.ts";
import { panel } from "../shell/parts/facts.ts";
import { choice, type FieldProblems, field, postForm } from "../shell/parts/form.ts";
import { notice } from "../shell/parts/notice.ts";

export type ThemeModel = {
  readonly base: string;
  readonly formToken: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly variables: readonly { readonly name: string; readonly allowed: string }[];
  readonly problems: FieldProblems;
  /** Why there can be no preview. */
  readonly obstacle: string | undefined;
  readonly preview:
    | { readonly token: string; readonly loader: string; readonly look: { readonly variables: object } }
    | undefined;
};

const NAMES: Readonly<Record<string, string>> = {
  colorPrimary: "Main colour",
  colorText: "Text",
  colorBackground: "Background",
  colorDanger: "Problems",
  colorBorder: "Borders",
  fontFamily: "Fonts",
  fontSizeBase: "Size of text",
  borderRadius: "Round corners",
  spacingUnit: "Spacing",
};

const THEMES = [
  { value: "", label: "as the payer's system" },
  { value: "light", label: "light" },
  { value: "dark", label: "dark" },
];

export function themePage(model: ThemeModel): Html {
  return html`<div class="beside"><div>${panel("Variables", variables(model))}</div>
<div>${panel("Preview", preview(model))}${model.preview !== undefined && panel("For your page", snippet(model.preview.look))}</div></div>`;
}

function variables({ base, formToken, fields, variables: known, problems, obstacle }: ThemeModel): Html {
  const inputs = known.map(({ name, allowed }) =>
    field({
      name,
      label: NAMES[name] ?? name,
      value: fields[name] ?? "",
      hint: allowed,
      problem: problems[name],
    }),
  );
  const theme = choice({ name: "theme", label: "Theme", value: fields["theme"] ?? "", among: THEMES });
  if (obstacle !== undefined) return html`${notice({ tone: "info", words: obstacle })}`;
  return postForm({
    action: `${base}/settings/look/preview`,
    formToken,
    button: "Show it",
    content: html`${theme}${inputs}`,
    beside: html`<a href="${base}/settings/look">Start again</a>`,
  });
}

/** The loader comes first, then our script, which starts it with what stands here. */
function preview({ preview: shown, obstacle }: ThemeModel): Html {
  if (shown === undefined)
    return html`<p class="hint">${obstacle === undefined ? "A real checkout of the sandbox appears here. You can pay in it with a test card." : "There is nothing to show."}</p>`;
  const { token, loader, look } = shown;
  return html`<div id="preview" data-token="${token}" data-look="${JSON.stringify(look)}"></div>
<noscript><p>The checkout is a script: switch scripts on to see it.</p></noscript>
<script src="${loader}" defer></script>`;
}

function snippet(look: { readonly variables: object }): Html {
  const text = `ui: ${JSON.stringify(look, null, 2)}`;
  return html`<p>Pass this to SVC.PayUI.initialise beside the token:</p><pre class="code" tabindex="0"><code>${text}</code></pre>`;
}
