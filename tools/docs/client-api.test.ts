import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { OPERATIONS } from "../../packages/client/src/generated/api.ts";
import { API_ROUTES } from "../../src/app/routes.ts";
import { openApiDocument } from "../../src/platform/http/openapi.ts";
import type { JsonSchema } from "../../src/platform/http/openapi-shape.ts";
import { clientApiOf } from "./client-api.ts";

const document = openApiDocument(API_ROUTES, { version: "1", baseUrl: "http://localhost" });

/** The type that is generated for a schema of this name. */
function typeFor(schema: JsonSchema, name = "Made"): string {
  const components = { ...document.components, schemas: { [name]: schema } };
  const made = clientApiOf({ ...document, components, paths: {} }, "1.2.3");
  return new RegExp(`export type ${name} = ([\\s\\S]*?);\\n\\n`).exec(made)?.[1] ?? "";
}

describe("the client's types are generated from the API description", () => {
  test("each kind of schema gets its type", () => {
    const cases: readonly [JsonSchema, string][] = [
      [{ type: "string" }, "string"],
      [{ type: "integer" }, "number"],
      [{ type: "number" }, "number"],
      [{ type: "boolean" }, "boolean"],
      [{ type: "string", enum: ["a", "b"] }, '"a" | "b"'],
      [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
      [{ type: "array", items: { type: "string", enum: ["a", "b"] } }, 'readonly ("a" | "b")[]'],
      [{ type: "array", items: { type: "integer" } }, "readonly number[]"],
      [{ type: "object" }, "Readonly<Record<string, unknown>>"],
      [{ type: "object", properties: {} }, "Readonly<Record<string, never>>"],
      [{ not: {} }, "never"],
      [{ $ref: "#/components/schemas/Other" }, "Other"],
    ];
    for (const [schema, type] of cases) assert.equal(typeFor(schema), type);
    assert.throws(() => typeFor({ type: "date" }), /no known type/);
  });

  test("optional fields may be undefined in request bodies, not in answers", () => {
    const schema: JsonSchema = {
      type: "object",
      required: ["here"],
      properties: { here: { type: "string", description: "Why." }, "odd-name": { type: "integer" } },
    };
    assert.equal(
      typeFor(schema),
      '{\n  /** Why. */\n  readonly here: string;\n  readonly "odd-name"?: number;\n}',
    );
    assert.match(typeFor(schema, "MadeBody"), /"odd-name"\?: number \| undefined/);
  });

  test("every operation of the API is in the client, and in one of its resources", () => {
    assert.deepEqual(Object.keys(OPERATIONS).sort(), API_ROUTES.map(({ name }) => name).sort());
    const files = globSync("packages/client/src/resources/*.ts").map((file) => readFileSync(file, "utf8"));
    const used = new Set(files.join("").match(/(?<=(?:call\(\s*|eachOf\(call, )")\w+(?=")/g));
    assert.deepEqual(
      Object.keys(OPERATIONS).filter((name) => !used.has(name)),
      [],
      "add each of these to a file of packages/client/src/resources",
    );
  });
});
