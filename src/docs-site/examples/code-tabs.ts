import { type Html, html } from "../reference/html.ts";
import type { ExampleCall } from "./example-call.ts";
import { LANGUAGES } from "./programs.ts";

/**
 * A call in every language, one below the other. The script of the pages shows the reader's language only, with tabs
 * for the others.
 */
export function codeTabs(call: ExampleCall): Html {
  const programs = LANGUAGES.map(
    ({ id, name, program }) => html`<div class="program" data-language="${id}">
<p class="language">${name}</p>
<pre tabindex="0"><code>${program(call)}</code></pre>
</div>
`,
  );
  return html`<div class="programs">
${programs}</div>
`;
}
