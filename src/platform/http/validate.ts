import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { CodeName } from "../../kernel/codes/catalogue.ts";
import type { IdNoun } from "../../kernel/ids.ts";
import type { Problem } from "../../kernel/refusal.ts";
import { holdsCardNumber } from "../cards/card-number-in-text.ts";
import { fitsList } from "./cursors.ts";
import { FORMATS } from "./formats.ts";
import { CURSOR_OF, FREE_TEXT, type Schema } from "./schema.ts";

/**
 * What remains of an input without everything that its schema refuses. Rules between fields check this, so that a request
 * with a wrong amount and a missing redirect URL gets both problems at once.
 */
export type Loose<T> = T extends readonly (infer Item)[]
  ? readonly (Loose<Item> | undefined)[]
  : T extends object
    ? { readonly [Key in keyof T]?: Loose<T[Key]> }
    : T;

/** Whether nothing was wrong at or below a JSON pointer. */
export type Sound = (pointer: string) => boolean;

export type Checked = {
  readonly problems: readonly Problem[];
  readonly loose: unknown;
  readonly sound: Sound;
};
export type Validator = (input: unknown) => Checked;

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  coerceTypes: false,
  useDefaults: false,
  formats: FORMATS,
});
for (const ours of ["x-code", "x-published", "x-forms"]) ajv.addKeyword(ours);
ajv.addKeyword({
  keyword: FREE_TEXT,
  type: "string",
  schemaType: "boolean",
  errors: false,
  validate: (_: boolean, text: string) => !holdsCardNumber(text),
});

ajv.addKeyword({
  keyword: CURSOR_OF,
  type: "string",
  schemaType: "string",
  errors: false,
  validate: (noun: IdNoun, text: string, _?: unknown, within?: { readonly parentData: object }) =>
    fitsList(noun, text, within?.parentData ?? {}),
});

/** A body can hold very many mistakes. Beyond this number they are neither checked nor reported: that would only cost time. */
const ERRORS_AT_MOST = 1_000;

/**
 * Compiles a schema whose fields carry their codes, for the first input: all schemas together would take 0.4 s of every
 * start and 5 MB of memory. `unknown` is the code of a field that the schema does not have.
 */
export function compileValidator(schema: Schema, unknown: CodeName): Validator {
  let validate: ValidateFunction | undefined;
  return (input) => {
    validate ??= ajv.compile(schema);
    if (validate(input)) return { problems: [], loose: input, sound: () => true };
    const found = validate.errors ?? [];
    if (found.length > ERRORS_AT_MOST) {
      const first = found.slice(0, ERRORS_AT_MOST).flatMap((error) => problemOf(error, unknown));
      return { problems: distinct(first), loose: undefined, sound: () => false };
    }
    const errors = found.filter((error) => !isEcho(error, found));
    const problems = distinct(errors.flatMap((error) => problemOf(error, unknown)));
    // A list with a repeat keeps its members: nothing else is wrong with them.
    const removed = errors.filter(({ keyword }) => keyword !== "uniqueItems");
    return {
      problems,
      loose: without(
        input,
        removed.flatMap((error) => problemOf(error, unknown)),
      ),
      sound: (pointer) =>
        !problems.some(
          (one) => one.field === pointer || one.field?.startsWith(`${pointer}/`) || one.field === "",
        ),
    };
  };
}

/** Problems that the rules add, without those about a place that the schema has refused already. */
export function withRules(checked: Checked, found: readonly Problem[]): readonly Problem[] {
  const taken = new Set(checked.problems.map((problem) => problem.field));
  return [...checked.problems, ...found.filter((problem) => !taken.has(problem.field))];
}

function problemOf(error: ErrorObject, unknown: CodeName): readonly Problem[] {
  const at = error.instancePath;
  if (error.keyword === "additionalProperties") {
    return [{ code: unknown, field: `${at}/${escapePointer(error.params["additionalProperty"])}` }];
  }
  if (error.keyword === "required") {
    const name = error.params["missingProperty"] as string;
    const fields = error.parentSchema?.["properties"] as Record<string, Record<string, unknown>> | undefined;
    const code = codeOf(fields?.[name]);
    return code === undefined ? [] : [{ code, field: `${at}/${escapePointer(name)}` }];
  }
  if (error.keyword === FREE_TEXT) return [{ code: "text_card_number_refused", field: at }];
  const code = codeOf(error.parentSchema);
  // A wrong key is reported by the rule that it breaks, at the key; that the object has a wrong key adds nothing.
  if (code === undefined || error.keyword === "propertyNames") return [];
  const key = error.propertyName;
  return [{ code, field: key === undefined ? at : `${at}/${escapePointer(key)}` }];
}

/** A union fails whenever its parts do; where a part reports what is wrong inside, the union's own error adds nothing. */
function isEcho(error: ErrorObject, all: readonly ErrorObject[]): boolean {
  if (error.keyword !== "anyOf") return false;
  const at = error.instancePath;
  return all.some(
    ({ instancePath, keyword }) =>
      instancePath.startsWith(`${at}/`) ||
      (instancePath === at && ["additionalProperties", "required", FREE_TEXT].includes(keyword)),
  );
}

function codeOf(schema: Record<string, unknown> | undefined): CodeName | undefined {
  return schema?.["x-code"] as CodeName | undefined;
}

function distinct(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.code} ${problem.field}`, problem])).values()];
}

function escapePointer(name: unknown): string {
  return String(name).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** A copy of the input in which the places of the problems are gone (in lists: undefined). */
function without(input: unknown, problems: readonly Problem[]): unknown {
  const refused = new Set(problems.map((problem) => problem.field));
  const copy = (value: unknown, pointer: string): unknown => {
    if (refused.has(pointer)) return undefined;
    if (Array.isArray(value)) return value.map((item, index) => copy(item, `${pointer}/${index}`));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, copy(inner, `${pointer}/${escapePointer(name)}`)]),
    );
  };
  return copy(input, "");
}
