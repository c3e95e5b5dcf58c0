import { type Html, html } from "../../../../browser/ui/html.ts";

/** The problem of a field, by its name. */
export type FieldProblems = Readonly<Record<string, string | undefined>>;

/** The first fields of every posted form: the session's token, and a unique name, so that it is executed once. */
export function hiddenToken(formToken: string): Html {
  return html`<input type="hidden" name="token" value="${formToken}"><input type="hidden" name="once" value="${onceText()}">`;
}

function onceText(): string {
  let text = "";
  for (const byte of Array.from(crypto.getRandomValues(new Uint8Array(16))))
    text += `0${byte.toString(16)}`.slice(-2);
  return text;
}

export type FormModel = {
  readonly action: string;
  readonly formToken: string;
  readonly content: Html;
  readonly button: string;
  readonly tone?: "danger" | "quiet";
  /** For forms that hold a table. */
  readonly wide?: boolean;
  /** Beside the button, such as a way back. */
  readonly beside?: Html;
};

/** A form that changes something. */
export function postForm(model: FormModel): Html {
  const { action, formToken, content, button, tone, beside, wide } = model;
  return html`<form class="form${wide === true && " form-wide"}" method="post" action="${action}">
${hiddenToken(formToken)}
${content}
<p class="buttons"><button class="button${tone === undefined ? "" : ` button-${tone}`}">${button}</button>${beside}</p>
</form>`;
}

export type ButtonModel = Omit<FormModel, "content" | "beside"> & {
  /** For screen readers, which may read the button without its row. */
  readonly what?: string;
  readonly fields?: Readonly<Record<string, string>>;
};

/** A form of one button, for rows of tables. */
export function postButton({ action, formToken, button, tone, what, fields = {} }: ButtonModel): Html {
  const hidden = Object.keys(fields).map(
    (name) => html`<input type="hidden" name="${name}" value="${fields[name]}">`,
  );
  return html`<form class="inline" method="post" action="${action}">${hiddenToken(formToken)}${hidden}<button class="small${tone === "danger" && " small-danger"}">${button}${what !== undefined && html`<span class="visually-hidden"> ${what}</span>`}</button></form>`;
}

export type Field = {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly type?: "text" | "email" | "password" | "url" | "number" | "date" | "search" | "color";
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly autocomplete?: string;
  readonly inputmode?: "numeric" | "decimal" | "text";
  readonly required?: boolean;
  readonly readonly?: boolean;
  readonly step?: string;
  readonly placeholder?: string;
  readonly maxlength?: number;
  /** As wide as what is typed. */
  readonly width?: "short" | "long";
};

export function field(given: Field): Html {
  const { name, label, value, type = "text", autocomplete = "off" } = given;
  return around(
    given,
    html`<label for="f-${name}">${label}</label>`,
    html`<input id="f-${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${value !== undefined && html` value="${value}"`}${given.inputmode !== undefined && html` inputmode="${given.inputmode}"`}${given.step !== undefined && html` step="${given.step}"`}${given.placeholder !== undefined && html` placeholder="${given.placeholder}"`}${given.maxlength !== undefined && html` maxlength="${given.maxlength}"`}${given.required === true && html` required`}${given.readonly === true && html` readonly`}${described(given)}>`,
  );
}

export function textArea(given: Omit<Field, "type"> & { readonly rows: number }): Html {
  const { name, label, value = "", rows } = given;
  return around(
    given,
    html`<label for="f-${name}">${label}</label>`,
    html`<textarea id="f-${name}" name="${name}" rows="${rows}" spellcheck="false"${described(given)}>${value}</textarea>`,
  );
}

export type Choice = { readonly value: string; readonly label: string };

export function choice(given: Omit<Field, "type"> & { readonly among: readonly Choice[] }): Html {
  const { name, label, value, among } = given;
  return around(
    given,
    html`<label for="f-${name}">${label}</label>`,
    html`<select id="f-${name}" name="${name}"${described(given)}>${among.map(
      (one) =>
        html`<option value="${one.value}"${one.value === value && html` selected`}>${one.label}</option>`,
    )}</select>`,
  );
}

/** A switch: sent as `on`, or not at all. */
export function check(given: {
  readonly name: string;
  readonly label: string;
  readonly on: boolean;
  readonly hint?: string;
  readonly disabled?: boolean;
}): Html {
  const { name, label, on, hint } = given;
  return html`<div class="check"><input type="checkbox" id="f-${name}" name="${name}" value="on"${on && html` checked`}${given.disabled === true && html` disabled`}${hint !== undefined && html` aria-describedby="h-${name}"`}><label for="f-${name}">${label}</label>${hint !== undefined && html`<span class="hint" id="h-${name}">${hint}</span>`}</div>`;
}

export function group(legend: string, content: Html | readonly Html[]): Html {
  return html`<fieldset><legend>${legend}</legend>${content}</fieldset>`;
}

export type Filters = {
  readonly action: string;
  readonly fields: readonly Html[];
  /** The list without filters. */
  readonly clear?: string | undefined;
  /** The address of the file. It takes the fields as they are, whether the list has been filtered by them or not. */
  readonly file?: string | undefined;
};

/** The form above a list. It is a GET, so the URL holds the filters. */
export function filters({ action, fields, clear, file }: Filters): Html {
  return html`<form class="filters" method="get" action="${action}" role="search">${fields}<p class="buttons"><button class="button button-quiet">Filter</button>${file !== undefined && html`<button class="button button-quiet" formaction="${file}">Export as CSV</button>`}${clear !== undefined && html`<a href="${clear}">Clear</a>`}</p></form>`;
}

type Around = Pick<Field, "name" | "hint" | "problem" | "width">;

function around({ name, hint, problem, width }: Around, label: Html, control: Html): Html {
  return html`<div class="field${problem !== undefined && " field-wrong"}${width !== undefined && ` field-${width}`}">${label}${hint !== undefined && html`<span class="hint" id="h-${name}">${hint}</span>`}${control}${problem !== undefined && html`<span class="problem" id="p-${name}">${problem}</span>`}</div>`;
}

function described({ name, hint, problem }: Around): Html {
  const ids = [...(hint === undefined ? [] : [`h-${name}`]), ...(problem === undefined ? [] : [`p-${name}`])];
  return html`${ids.length > 0 && html` aria-describedby="${ids.join(" ")}"`}${problem !== undefined && html` aria-invalid="true"`}`;
}
