import { ID_PREFIXES, type IdNoun } from "../../kernel/ids.ts";
import { ID_BODY } from "../../platform/http/openapi-examples.ts";
import { answerOf, type Endpoint } from "../reference/endpoints.ts";

/** A call of the API as an example shows it. The key is never part of it: programs read it from the environment. */
export type ExampleCall = {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  /** The answer is no JSON: a CSV file. */
  readonly answersText?: boolean;
};

/** The described example of an endpoint, with ids like those of the recorded answers. */
export function callOf({ method, path, operation }: Endpoint, server: string): ExampleCall {
  const body: unknown = operation.requestBody?.content["application/json"].example;
  return {
    method,
    url: server + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(prefixFor(name))),
    ...(body === undefined ? {} : { body: withIds(body) }),
    answersText: !("application/json" in answerOf(operation).content),
  };
}

/** The call of an `http` block of a guide: `POST /customers`, an empty line, the body. */
export function callIn(text: string, server: string): ExampleCall {
  const [head = "", ...rest] = text.split("\n");
  const [method = "GET", target = "/"] = head.split(" ");
  const body = rest.join("\n").trim();
  // curl reads brackets in an address as a range.
  const url = server + target.replace("[", "%5B").replace("]", "%5D");
  return {
    method,
    url,
    ...(body === "" ? {} : { body: JSON.parse(body) as unknown }),
    answersText: /\.csv\b/.test(target),
  };
}

/** `{transactionOrRefundId}` takes an id of either: the example has one of the first. */
function prefixFor(parameter: string): string {
  return ID_PREFIXES[parameter.replace(/(Or[A-Z]\w+)?Id$/, "") as IdNoun];
}

function idOf(prefix: string): string {
  return `${prefix}_${ID_BODY}`;
}

/** Routes write `pr_…` for an id of their examples. */
function withIds(body: unknown): unknown {
  const text = JSON.stringify(body).replaceAll(/"([a-z]+)_…"/g, (_, prefix: string) => `"${idOf(prefix)}"`);
  return JSON.parse(text) as unknown;
}
