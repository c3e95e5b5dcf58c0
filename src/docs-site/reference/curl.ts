import { describedIn } from "../../platform/http/openapi-shape.ts";
import { answerOf, type Endpoint } from "./endpoints.ts";
import { jsonText } from "./json-text.ts";

/** The call as a command to paste, with the key in a shell variable. */
export function curlOf({ method, path, operation }: Endpoint, server: string): string {
  const body = operation.requestBody?.content["application/json"].example;
  const plain = method === "GET" || (method === "POST" && body !== undefined);
  return [
    `curl "${server}${pathWithIds(path, operation)}"`,
    ...(plain ? [] : [`-X ${method}`]),
    `-H "X-Api-Key: $TIDEGATE_API_KEY"`,
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d '${jsonText(body, "  ").replaceAll("'", `'\\''`)}'`]),
  ].join(" \\\n  ");
}

/** Puts the id of the example answer into the path. */
function pathWithIds(path: string, operation: Endpoint["operation"]): string {
  const { example } = describedIn(answerOf(operation).content);
  const id =
    typeof example === "object" && example !== null && "id" in example ? String(example.id) : undefined;
  const names = path.match(/\{\w+\}/g) ?? [];
  return id !== undefined && names.length === 1 ? path.replace(/\{\w+\}/, id) : path;
}
