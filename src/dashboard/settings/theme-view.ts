import { type Html, html } from "../../../browser/ui/html.ts";
import type { DefaultTheme } from "../../features/merchants/index.ts";
import { allowedValues, THEME_VARIABLES, type ThemeVariable } from "../../kernel/theme-variables.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { panel } from "../shell/parts/facts.ts";
import { choice, type FieldProblems, field, postForm } from "../shell/parts/form.ts";
import { notice } from "../shell/parts/notice.ts";

export type ThemePreview = {
  readonly ui: DefaultTheme;
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
  const mayEdit = visit.may("manage") || obstacle === undefined;
  const variables = mayEdit
    ? variableForm(visit, problems, obstacle)
    : notice({ tone: "info", words: "Your role can't save a theme." });
  return html`<div class="beside"><div>${panel("Variables", variables)}</div>
<div>${panel("Live preview", SAMPLE)}${panel("Real checkout", preview === undefined ? emptyPreview(obstacle) : frame(preview))}${preview !== undefined && panel("For your page", snippet(preview.ui))}</div></div>`;
}

/** Drawn by our own styles; the script sets its variables while they are typed. */
const SAMPLE = html`<div class="sample" id="theme-sample" aria-hidden="true"><p class="sample-title">Pay $128.50</p><p class="sample-label">Card number</p><p class="sample-field">4111 1111 1111 1111</p><p class="sample-label">Expiry</p><p class="sample-field sample-wrong">12 / 20</p><p class="sample-problem">This card has expired.</p><p class="sample-button">Pay $128.50</p></div><p class="hint">It follows what you type. The real checkout below is the measure.</p>`;

const PICKED: readonly ThemeVariable[] = [
  "colorPrimary",
  "colorText",
  "colorBackground",
  "colorDanger",
  "colorBorder",
];

function variableForm(visit: MerchantVisit, problems: FieldProblems, obstacle: string | undefined): Html {
  const { base, formToken, fields, merchant } = visit;
  const posted = Object.keys(fields).length > 0;
  const typedOr = (name: ThemeVariable) => (posted ? fields[name] : merchant.theme?.variables[name]) ?? "";
  const inputs = THEME_VARIABLES.map((name) => {
    const text = field({
      name,
      label: NAMES[name],
      value: typedOr(name),
      hint: sentence(allowedValues(name)),
      problem: problems[name],
    });
    return PICKED.includes(name)
      ? html`<div class="picked">${text}<input type="color" data-picks="f-${name}" aria-label="Pick: ${NAMES[name]}" hidden></div>`
      : text;
  });
  const chosen = (posted ? fields["theme"] : merchant.theme?.theme) ?? "";
  const theme = choice({ name: "theme", label: "Theme", value: chosen, among: THEMES });
  const save = visit.may("manage");
  const show = html`<button class="button button-quiet" formaction="${base}/settings/theme/preview">Show it</button>`;
  return html`<div data-theme-form>${postForm({
    action: `${base}/settings/theme/${save ? "save" : "preview"}`,
    formToken,
    button: save ? "Save as default" : "Show it",
    content: html`${theme}${inputs}`,
    beside: html`${save && obstacle === undefined && show}<a href="${base}/settings/theme">Start again</a>`,
  })}</div>`;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function emptyPreview(obstacle: string | undefined): Html {
  return html`<p class="hint">${obstacle ?? "A real checkout of the sandbox appears here. You can pay in it with a test card."}</p>`;
}

/** Our script starts the loader with these attributes. */
function frame({ token, loader, ui }: ThemePreview): Html {
  return html`<div id="preview" data-token="${token}" data-ui="${JSON.stringify(ui)}"></div>
<noscript><p>The checkout needs scripts: switch them on to see it.</p></noscript>
<script src="${loader.src}" integrity="${loader.integrity}" crossorigin="anonymous" defer></script>`;
}

function snippet(ui: DefaultTheme): Html {
  const text = `ui: ${JSON.stringify(ui, null, 2)}`;
  return html`<p>Pass this to SVC.PayUI.initialise beside the token:</p><pre class="code" tabindex="0"><code>${text}</code></pre>`;
}
