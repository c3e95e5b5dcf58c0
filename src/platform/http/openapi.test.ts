import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { validatorOf } from "../../../tests/support/described-answers.ts";
import { documentProblems, operationsOf } from "../../../tests/support/openapi-rules.ts";
import { API_ROUTES } from "../../app/routes.ts";
import { CODES_BY_ID, type CodeName, codeId } from "../../kernel/codes/catalogue.ts";
import { openApiDocument } from "./openapi.ts";
import { describedIn, type OpenApiDocument } from "./openapi-shape.ts";
import { CODES_OF_EVERY_CHANGE, CODES_OF_EVERY_REQUEST } from "./route-codes.ts";

const INFO = { version: "1.2.3", baseUrl: "https://pay.example" };
const document = openApiDocument(API_ROUTES, INFO);
const operations = operationsOf(document);

/** A copy of the document as plain JSON, to be spoilt. */
// biome-ignore lint/suspicious/noExplicitAny: spoiling it is the point.
const copy = (): any => JSON.parse(JSON.stringify(document));
const codesIn = (value: unknown): CodeName[] =>
  [...JSON.stringify(value).matchAll(/"x-code":"(\w+)"/g)].map(([, name]) => name as CodeName);

describe("the API description: all that the routes say", () => {
  test("every route is there, once, with its name, group, summary and scope", () => {
    assert.equal(operations.length, API_ROUTES.length);
    for (const route of API_ROUTES) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      assert.equal(operation?.operationId, route.name);
      assert.deepEqual(operation.tags, [route.group]);
      assert.equal(operation.summary, route.summary);
      assert.deepEqual([operation.security, operation["x-scope"]], [[{ apiKey: [] }], route.scope]);
    }
  });

  test("every code of a route's schemas and refusals, and those of every request, are listed", () => {
    for (const route of API_ROUTES) {
      const listed: readonly string[] =
        document.paths[route.path]?.[route.method.toLowerCase()]?.["x-codes"] ?? [];
      const every =
        route.method === "GET"
          ? CODES_OF_EVERY_REQUEST
          : [...CODES_OF_EVERY_REQUEST, ...CODES_OF_EVERY_CHANGE];
      const fields = Object.values((route.query as { properties?: object })?.properties ?? {});
      for (const code of [
        ...(route.refusals ?? []),
        ...every,
        ...codesIn(route.body ?? {}),
        ...codesIn(fields),
      ]) {
        assert.ok(listed.includes(codeId(code)), `${route.name} does not list ${code}`);
      }
      assert.deepEqual(listed, [...new Set(listed)].sort());
    }
  });

  test("every code that is named has its meaning, and its status is among the answers", () => {
    for (const { operation } of operations) {
      for (const code of operation["x-codes"]) {
        assert.deepEqual(document["x-codes"][code], CODES_BY_ID[code]);
        assert.ok(
          String(CODES_BY_ID[code].status) in operation.responses,
          `${operation.operationId} ${code}`,
        );
      }
    }
  });

  test("what changes something takes an idempotency key and may carry a body; what reads does neither", () => {
    for (const { method, operation } of operations) {
      const takesKey = operation.parameters.some(
        (one) => "$ref" in one && one.$ref.endsWith("/IdempotencyKey"),
      );
      assert.equal(takesKey, method !== "get", operation.operationId);
      assert.equal(operation.requestBody !== undefined, method !== "get", operation.operationId);
    }
  });

  test("a body is required where a request without one is refused", () => {
    const isRequired = (id: string) =>
      operations.find(({ operation }) => operation.operationId === id)?.operation.requestBody?.required;
    const optional = ["createRefund", "captureTransaction", "cancelTransaction"];
    assert.deepEqual(optional.map(isRequired), [false, false, false]);
    assert.deepEqual(["createCustomer", "changeCustomer"].map(isRequired), [true, true]);
  });

  test("an answer that several routes share is written once", () => {
    const shared = { $ref: "#/components/schemas/PaymentRequest" };
    const answers = ["createPaymentRequest", "getPaymentRequest", "cancelPaymentRequest"].map((id) => {
      const response = operations.find(({ operation }) => operation.operationId === id)?.operation.responses[
        "200"
      ];
      return response !== undefined && "content" in response
        ? describedIn(response.content).schema
        : undefined;
    });
    assert.deepEqual(answers, [shared, shared, shared]);
    assert.deepEqual(
      document.components.schemas["PaymentRequests"]?.properties?.["paymentRequests"]?.items,
      shared,
    );
  });
});

describe("the API description: valid OpenAPI 3.1", () => {
  test("its structure breaks no rule, and every reference leads somewhere", () => {
    assert.deepEqual(documentProblems(document), []);
    assert.equal(document.servers[0].variables.baseUrl.default, INFO.baseUrl);
    assert.equal(document.info.version, INFO.version);
  });

  test("a document that breaks a rule is found out", () => {
    const spoilt: readonly [(document: ReturnType<typeof copy>) => void, RegExp][] = [
      [(one) => delete one.components.schemas.PaymentRequest, /PaymentRequest does not resolve/],
      [(one) => delete one.info.title, /info lacks title/],
      [(one) => delete one.info.contact, /info lacks contact/],
      [(one) => delete one.paths["/events"].get.description, /there is no description/],
      [(one) => (one.tags[0].description = ""), /has no description/],
      [(one) => delete one.components.parameters.RequestId.description, /X-Request-Id is not described/],
      [
        (one) => delete one.components.schemas.CreateTokenBody.properties.scope.description,
        /the field \/scope is not described/,
      ],
      [(one) => (one.components.schemas.Token.properties.token.pattern = "^\\p{L}$"), /every engine/],
      [(one) => (one.components.schemas.Token.properties.token.pattern = "^(?!a)$"), /every engine/],
      [
        (one) => one.paths["/tokens"].post.parameters.push(one.components.parameters.RequestId),
        /is repeated/,
      ],
      [(one) => one.paths["/events/{eventId}"].get.parameters.shift(), /differ from the path/],
      [(one) => (one.paths["/events"].get.operationId = "createToken"), /createToken is repeated/],
      [(one) => (one.paths["/events"].get.tags = ["Nothing"]), /no tag Nothing/],
      [(one) => delete one.paths["/events"].get.responses["200"].description, /200 is not described/],
    ];
    for (const [spoil, expected] of spoilt) {
      const one = copy();
      spoil(one);
      assert.match(documentProblems(one as OpenApiDocument).join("\n"), expected);
    }
  });

  test("every schema is valid by the meta-schema of JSON Schema 2020-12", () => {
    const ajv = new Ajv2020({ strict: false });
    const parameters = operations.flatMap(({ operation }) =>
      operation.parameters.filter((one) => "schema" in one),
    );
    const schemas = [...Object.values(document.components.schemas), ...parameters.map((one) => one.schema)];
    assert.ok(schemas.length > 10);
    for (const schema of schemas) assert.ok(ajv.validateSchema(schema), JSON.stringify(ajv.errors));
    assert.equal(ajv.validateSchema({ type: "text" }), false);
  });

  test("every example matches its schema", () => {
    const validator = validatorOf(document);
    for (const { path, method, operation } of operations) {
      const media = ["content", "application/json", "schema"] as const;
      const example = operation.requestBody?.content["application/json"].example;
      if (example !== undefined) {
        assert.deepEqual(validator(example, "paths", path, method, "requestBody", ...media), []);
      }
      const success = operation.responses["200"];
      assert.ok(success !== undefined && "content" in success);
      const type = Object.keys(success.content)[0] ?? "";
      const place = ["paths", path, method, "responses", "200", "content", type, "schema"];
      const answer = describedIn(success.content).example;
      assert.deepEqual(validator(answer, ...place), [], operation.operationId);
      assert.notDeepEqual(validator({}, ...place), []);
    }
  });

  test("the routes are not changed by being described, and the same routes produce the same document", () => {
    assert.equal(JSON.stringify(openApiDocument(API_ROUTES, INFO)), JSON.stringify(document));
  });
});
