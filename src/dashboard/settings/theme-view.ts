import {
  allowedValues,
  THEME_VARIABLES,
  type ThemeVariable,
} from "../../../browser/protocol/theme-variables.ts";
import { type Html, html } from "../../../browser/ui/html.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { panel } from "../shell/parts/facts.ts";
import { choice, type FieldProblems, field, postForm } from "../shell/parts/form.ts";
import { notice } from "../shell/parts/notice.ts";

export type UiOptions = { readonly theme?: string; readonly variables: Readonly<Record<string, string>> };

export type ThemePreview = {
  readonly ui: UiOptions;
  readonly token: string;
  readonly loader: { readonly src: string; readonly integrity: string };
};

type Shown = {
  readonly problems: FieldProblems;
  /** Why there can be no preview. */
  readonly obstacle: string | undefined;
  readonly preview: ThemePreview | undefined;
};

const NAMES: Readonly<Record<ThemeVariable, string>> = {
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
  { value: "", label: "as your page, then the payer's system" },
  { value: "light", label: "light" },
  { value: "dark", label: "dark" },
];

export function themeView(visit: MerchantVisit, { problems, obstacle, preview }: Shown): Html {
  const variables =
    obstacle === undefined ? variableForm(visit, problems) : notice({ tone: "info", words: obstacle });
  return html`<div class="beside"><div>${panel("Variables", variables)}</div>
<div>${panel("Preview", preview === undefined ? emptyPreview(obstacle) : frame(preview))}${preview !== undefined && panel("For your page", snippet(preview.ui))}</div></div>`;
}

function variableForm({ base, formToken, fields }: MerchantVisit, problems: FieldProblems): Html {
  const inputs = THEME_VARIABLES.map((name) =>
    field({
      name,
      label: NAMES[name],
      value: fields[name] ?? "",
      hint: sentence(allowedValues(name)),
      problem: problems[name],
    }),
  );
  const theme = choice({ name: "theme", label: "Theme", value: fields["theme"] ?? "", among: THEMES });
  return postForm({
    action: `${base}/settings/theme/preview`,
    formToken,
    button: "Show it",
    content: html`${theme}${inputs}`,
    beside: html`<a href="${base}/settings/theme">Start again</a>`,
  });
}

export function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function emptyPreview(obstacle: string | undefined): Html {
  return html`<p class="hint">${obstacle === undefined ? "A real checkout of the sandbox appears here. You can pay in it with a test card." : "There is nothing to show."}</p>`;
}

/** Our script starts the loader with these attributes. */
function frame({ token, loader, ui }: ThemePreview): Html {
  return html`<div id="preview" data-token="${token}" data-ui="${JSON.stringify(ui)}"></div>
<noscript><p>The checkout needs scripts: switch them on to see it.</p></noscript>
<script src="${loader.src}" integrity="${loader.integrity}" crossorigin="anonymous" defer></script>`;
}

function snippet(ui: UiOptions): Html {
  const text = `ui: ${JSON.stringify(ui, null, 2)}`;
  return html`<p>Pass this to SVC.PayUI.initialise beside the token:</p><pre class="code" tabindex="0"><code>${text}</code></pre>`;
}
