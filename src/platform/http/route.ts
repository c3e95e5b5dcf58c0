import type { CodeName } from "../../kernel/codes/catalogue.ts";
import { ID_PREFIXES, type Id, type IdNoun, parseId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Problem } from "../../kernel/refusal.ts";
import type { Context } from "../context.ts";
import type { Schema, Static } from "./schema.ts";
import type { Loose, Sound } from "./validate.ts";

export const SCOPES = ["read", "write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** What the server itself needs to know of the caller with an API key. */
export type KeyedCaller = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly scopes: readonly Scope[];
  readonly keyId: string;
};

/** Finds the holder of an API key; undefined for an unknown key. */
export type Authenticate<Caller> = (
  apiKey: string,
  address: string,
) => Promise<{ readonly caller: Caller; readonly worksFromHere: boolean } | undefined>;

/** The names in `/transactions/{transactionId}`. */
type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/**
 * The ids in a path. A parameter is named after its noun, so `{refundId}` is the id of a refund, and
 * `{transactionOrRefundId}` that of either.
 */
export type PathIds<Path extends string> = {
  readonly [Name in ParamNames<Path>]: Name extends `${infer Nouns}Id` ? IdOf<Nouns> : never;
};

type IdOf<Nouns extends string> = Nouns extends IdNoun
  ? Id<Nouns>
  : Nouns extends `${infer First}Or${infer Rest}`
    ? IdOf<First> | IdOf<Uncapitalize<Rest>>
    : never;

/** A checked request, as a verb gets it. */
export type RouteInput<Caller, Body, Query, Path extends string> = {
  readonly caller: Caller;
  readonly body: Body;
  readonly query: Query;
  readonly params: PathIds<Path>;
};

/** What the pipeline adds to an authenticated caller for one request. */
export type RequestFacts = {
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
};

/** Rules between fields. They see what the schema let through and say what else is wrong; they change nothing. */
export type Rules<Caller, Body> = (body: Loose<Body>, facts: RuleFacts<Caller>) => readonly Problem[];
/** Rules that only the database can answer. Asked beside other problems alone: on its own, the verb finds it. */
export type LookUp<Caller, Body, Path extends string> = (
  body: Loose<Body>,
  facts: RuleFacts<Caller> & { readonly params: PathIds<Path> },
) => Promise<readonly Problem[]>;
export type RuleFacts<Caller> = { readonly caller: Caller; readonly ctx: Context; readonly sound: Sound };

/** One endpoint: the source of its validation, its types, its place in the API description and its list of codes. */
export type RouteSpec<
  Caller,
  Path extends string,
  Body extends Schema,
  Query extends Schema,
  Answer extends Schema,
> = {
  readonly method: Method;
  /** With `{refundId}` and the like for ids. */
  readonly path: Path;
  /** The operation's id in the API description. */
  readonly name: string;
  readonly group: string;
  readonly summary: string;
  readonly about?: string;
  readonly scope: Scope;
  readonly body?: Body;
  /** No body is the same as `{}`. So it is without a body schema, too. */
  readonly bodyOptional?: boolean;
  readonly query?: Query;
  readonly rules?: Rules<Caller & RequestFacts, Static<Body>>;
  readonly lookUp?: LookUp<Caller & RequestFacts, Static<Body>, Path>;
  readonly answer: Answer;
  /** The answer is a text of this type, not JSON. A long one is returned in portions and sent while they are made. */
  readonly answers?: "text/plain" | "text/csv";
  /** Codes that the verb can refuse with, beyond those of the schemas and of every request. */
  readonly refusals?: readonly CodeName[];
  /** An example body, for the docs. It is sent by a test. */
  readonly example?: object;
  readonly sandboxOnly?: boolean;
  readonly run: (
    ctx: Context,
    input: RouteInput<Caller & RequestFacts, Static<Body>, Static<Query>, Path>,
  ) => Promise<Static<Answer> | AsyncIterable<string>>;
};

/** A route whose schemas are no longer visible in its type, so that routes of all shapes fit in one list. */
export type Route<Caller> = RouteSpec<Caller, string, Schema, Schema, Schema>;

/** Gives a `route` function for one kind of caller. */
export function routesFor<Caller>() {
  return <const Path extends string, Body extends Schema, Query extends Schema, Answer extends Schema>(
    spec: RouteSpec<Caller, Path, Body, Query, Answer>,
  ): Route<Caller> => spec as unknown as Route<Caller>;
}

type TextParams = Readonly<Record<string, string>>;

/** Compiles the reader of a path's ids. A text that can't be an id is undefined, which is refused as an unknown id is. */
export function compilePathIds(path: string): (params: TextParams) => PathIds<string> | undefined {
  const readers = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, nounsOf(name)] as const);
  return (params) => {
    const ids = readers.map(([name, nouns]) => [name, findIdOf(nouns, params[name] ?? "")] as const);
    return ids.every(([, id]) => id !== undefined) ? Object.fromEntries(ids) : undefined;
  };
}

function findIdOf(nouns: readonly IdNoun[], text: string): Id<IdNoun> | undefined {
  return nouns.map((noun) => parseId(noun, text)).find((id) => id !== undefined);
}

function nounsOf(name: string): readonly IdNoun[] {
  const nouns = name
    .replace(/Id$/, "")
    .split("Or")
    .map((noun) => noun.charAt(0).toLowerCase() + noun.slice(1));
  if (!nouns.every((noun) => Object.hasOwn(ID_PREFIXES, noun)))
    throw new Error(`{${name}} in a path is not named after a noun with ids`);
  return nouns as IdNoun[];
}
