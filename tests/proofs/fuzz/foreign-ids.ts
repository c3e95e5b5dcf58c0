import assert from "node:assert/strict";
import type { OpenApiDocument } from "../../../src/platform/http/openapi-shape.ts";
import type { Placed } from "../../support/openapi-rules.ts";
import type { Facts } from "./facts.ts";
import type { FuzzRequest } from "./fuzz-request.ts";
import type { Random } from "./generate.ts";
import { requestOf } from "./request-of.ts";

type Answered = { readonly status: number; readonly body: unknown };

/**
 * I18: sends a request with ids of another merchant, and the same with ids that no resource has. Both are answered alike.
 * Returns whether an id of the path was not found. Other requests may change what both are answered, so none is on its way.
 */
export async function isForeignUnknown(
  document: OpenApiDocument,
  placed: Placed,
  { random, facts, others }: { readonly random: Random; readonly facts: Facts; readonly others: Facts },
  send: (request: FuzzRequest) => Promise<Answered>,
): Promise<boolean> {
  const { ids, pairs } = others;
  // The first request may use its key up, or find it used.
  const foreign = { ...requestOf(document, placed, random, { ...facts, ids, pairs }), headers: {} };
  const unknown = withUnknownIds(foreign, new Set([...ids.values()].flat()));
  if (unknown === undefined) return false;
  const [answer, expected] = [await send(foreign), await send(unknown)];
  assert.ok(answer.status < 500, `${JSON.stringify(foreign)} was answered with ${answer.status}`);
  const isComparable = foreign.method === "GET" || expected.status >= 300;
  assert.deepEqual(
    isComparable ? answer : answer.status,
    isComparable ? expected : expected.status,
    `${JSON.stringify(foreign)} tells another merchant's ids from unknown ones`,
  );
  return expected.status === 404;
}

/** Each id with another last character; undefined if the request names none. */
function withUnknownIds(request: FuzzRequest, ids: ReadonlySet<string>): FuzzRequest | undefined {
  const text = JSON.stringify(request);
  const changed = text.replaceAll(/[a-z]+_[0-9a-z]+/g, (id) =>
    ids.has(id) ? id.slice(0, -1) + (id.endsWith("0") ? "1" : "0") : id,
  );
  return changed === text ? undefined : (JSON.parse(changed) as FuzzRequest);
}

/** Whether its path names a resource. */
export const takesId = ({ path }: Placed): boolean => path.includes("{");
