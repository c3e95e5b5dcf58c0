import type { Static, TSchema } from "typebox";
import { BLANK } from "../../kernel/blank-text.ts";
import type { CodeName } from "../../kernel/codes/catalogue.ts";
import { defined } from "../../kernel/defined.ts";
import { WELL_FORMED } from "./formats.ts";
import { Type } from "./type-builders.ts";

/**
 * The building blocks of wire schemas. Each field carries the code of its refusal; one schema validates, types the
 * handler and describes the API.
 */
export type Schema = TSchema;
export type { Static };

type Field = { readonly code: CodeName; readonly about?: string };

const described = (field: Field) => defined({ "x-code": field.code, description: field.about });

/** Marks free text; see validate.ts. */
export const FREE_TEXT = "x-free-text";

/** Marks the cursor of a list with the noun of its rows; see validate.ts. */
export const CURSOR_OF = "x-cursor-of";

/**
 * No control characters and no halves of surrogate pairs: neither belongs in a text, and PostgreSQL refuses them. The
 * pattern reads the same in every regular-expression engine, with and without Unicode; it can't express the halves.
 */
export const PLAIN = "^[^\\x00-\\x1f\\x7f-\\x9f]*$";

/** The same with at least one sign that shows: blanks up to the first one, so that no text is read twice. */
export const VISIBLE = `^[${BLANK}]*[^\\x00-\\x1f\\x7f-\\x9f${BLANK}][^\\x00-\\x1f\\x7f-\\x9f]*$`;

/** That with line breaks, for texts of several lines. */
export const LINES = `^([${BLANK}]|\\r?\\n)*[^\\x00-\\x1f\\x7f-\\x9f${BLANK}]([^\\x00-\\x1f\\x7f-\\x9f]|\\r?\\n)*$`;

type TextField = Field & { readonly min?: number; readonly max: number };

/**
 * Free text: what people write, and what is stored and shown in clear. It must not hold a card number, and must show
 * something unless it may be empty.
 */
export function text(field: TextField) {
  return Type.String({ ...plain(field), pattern: field.min === 0 ? PLAIN : VISIBLE, [FREE_TEXT]: true });
}

/** Free text of several lines. */
export function lines(field: TextField) {
  return Type.String({ ...plain(field), pattern: LINES, [FREE_TEXT]: true });
}

/** A text that is not free: an id, a token or a password, or one with a rule of its own against card numbers. */
export function plainText(field: TextField) {
  return Type.String(plain(field));
}

/** The same, with a sign that shows. */
export function visibleText(field: TextField) {
  return Type.String({ ...plain(field), pattern: VISIBLE });
}

const plain = (field: TextField) => ({
  ...described(field),
  minLength: field.min ?? 1,
  maxLength: field.max,
  pattern: PLAIN,
  format: WELL_FORMED,
});

/**
 * A text of a given form: a pattern, or one of the formats that are checked by code (see formats.ts). `free`: the form could
 * hold a card number, which is refused as in any free text.
 */
export function formatted(
  field: Field & {
    readonly max?: number;
    readonly pattern?: string;
    readonly format?: string;
    readonly free?: true;
  },
) {
  return Type.String({
    ...described(field),
    maxLength: field.max ?? 2_048,
    ...defined({ pattern: field.pattern, format: field.format, [FREE_TEXT]: field.free }),
  });
}

export function oneOf<const Value extends string>(field: Field & { readonly among: readonly Value[] }) {
  return Type.Unsafe<Value>({ ...described(field), type: "string", enum: [...field.among] });
}

/** A whole number in a query, where everything is text. The pattern accepts it; the description calls it an integer. */
export function wholeNumber(
  field: Field & {
    readonly pattern: string;
    readonly min: number;
    readonly max: number;
    readonly standard: number;
  },
) {
  const { pattern, min: minimum, max: maximum, standard } = field;
  return Type.String({
    ...described(field),
    pattern,
    "x-published": { type: "integer", minimum, maximum, default: standard },
  });
}

/** Takes each value in any case; the noun turns it into the spelling of the list. */
export function oneOfAnyCase<const Value extends string>(
  field: Field & { readonly among: readonly Value[] },
) {
  const anyCase = (word: string) => word.replace(/[a-z]/gi, (c) => `[${c.toLowerCase()}${c.toUpperCase()}]`);
  return Type.String({
    ...described({ ...field, about: "Accepted in any case." }),
    pattern: `^(${field.among.map(anyCase).join("|")})$`,
    "x-published": { type: "string", enum: [...field.among] },
  });
}

export function integer(
  field: Field & { readonly min: number; readonly max: number; readonly standard?: number },
) {
  return Type.Integer({
    ...described(field),
    minimum: field.min,
    maximum: field.max,
    ...defined({ default: field.standard }),
  });
}

export function number(
  field: Field & { readonly above?: number; readonly min?: number; readonly max: number },
) {
  return Type.Number({
    ...described(field),
    ...defined({ exclusiveMinimum: field.above, minimum: field.min }),
    maximum: field.max,
  });
}

export function flag(field: Field) {
  return Type.Boolean(described(field));
}

export function object<const Properties extends Record<string, TSchema>>(
  field: Field,
  properties: Properties,
) {
  return Type.Object(properties, { ...described(field), additionalProperties: false });
}

/** An object whose keys the caller chooses, all with texts. A key is free text, too. */
export function pairs(
  field: Field & {
    readonly min?: number;
    readonly max: number;
    readonly key: Field & { readonly pattern: string; readonly except: readonly string[] };
    readonly value: TSchema;
  },
) {
  return Type.Unsafe<Readonly<Record<string, string>>>({
    ...described(field),
    type: "object",
    ...defined({ minProperties: field.min }),
    maxProperties: field.max,
    propertyNames: {
      ...described(field.key),
      type: "string",
      pattern: field.key.pattern,
      not: { enum: [...field.key.except] },
      [FREE_TEXT]: true,
    },
    additionalProperties: field.value,
  });
}

type Narrowed = {
  readonly description: string;
  readonly minimum?: number;
  readonly enum?: readonly string[];
};

/** One of the forms that a body can have: fields that it needs, and fields that it can't have (`payment.instrument`). */
export type Form = {
  readonly title: string;
  readonly about: string;
  readonly needs: readonly string[];
  readonly without: readonly string[];
  /** Fields that take less than in the other forms, with what they take. */
  readonly narrows?: Readonly<Record<string, Narrowed>>;
};

/** A body that has exactly one of several forms. Rules check that; the description shows each form. */
export function inForms<Body extends TSchema>(body: Body, forms: readonly Form[]): Body {
  return { ...body, "x-forms": forms };
}

/** Something that only its own reader understands: it is passed on as it came, and checked there. */
export function opaque(field: Field) {
  return Type.Unsafe<unknown>(described(field));
}

export function list<Item extends TSchema>(
  field: Field & { readonly min?: number; readonly max: number; readonly unique?: boolean },
  item: Item,
) {
  return Type.Array(item, {
    ...described(field),
    minItems: field.min ?? 0,
    maxItems: field.max,
    ...(field.unique === true ? { uniqueItems: true } : {}),
  });
}

/** A field that we know and never take. Its own code says why; "no such field" would suggest a typo. */
export function refused(field: Field) {
  return Type.Unsafe<never>({ ...described(field), not: {} });
}

export function optional<Inner extends TSchema>(inner: Inner) {
  return Type.Optional(inner);
}

/** Also takes null. The code of a wrong value is the inner schema's, and so is the description unless the field has its own. */
export function nullable<Inner extends TSchema & { readonly description?: string }>(
  field: Field,
  inner: Inner,
) {
  return Type.Union([inner, Type.Null()], {
    ...defined({ description: inner.description }),
    ...described(field),
  });
}

/** Schemas of answers: they describe, they do not check input, so they carry no codes. */
export const answer = {
  object: <const Properties extends Record<string, TSchema>>(properties: Properties, about?: string) =>
    Type.Object(properties, defined({ additionalProperties: false, description: about })),
  list: <Item extends TSchema>(item: Item) => Type.Array(item),
  text: (about?: string) => Type.String(defined({ description: about })),
  pairs: (about: string) =>
    Type.Unsafe<Readonly<Record<string, string>>>({
      type: "object",
      description: about,
      additionalProperties: { type: "string" },
    }),
  time: () => Type.String({ format: "date-time" }),
  id: (prefix: string) => Type.String({ pattern: `^${prefix}_[0-9a-z]+$` }),
  integer: (about?: string) => Type.Integer(defined({ description: about })),
  number: () => Type.Number(),
  flag: () => Type.Boolean(),
  oneOf: <const Value extends string>(...among: Value[]) =>
    Type.Unsafe<Value>({ type: "string", enum: among }),
  optional: <Inner extends TSchema>(inner: Inner) => Type.Optional(inner),
  nullable: <Inner extends TSchema>(inner: Inner) => Type.Union([inner, Type.Null()]),
  /** One of two resources. */
  either: <One extends TSchema, Other extends TSchema>(one: One, other: Other) => Type.Union([one, other]),
  /** A resource of any shape, as in the payload of an event. */
  anything: (about: string) => Type.Unsafe<Record<string, unknown>>({ type: "object", description: about }),
};
