import assert from "node:assert/strict";
import { test } from "node:test";
import { checkoutRoutes } from "../features/checkout/index.ts";
import { compileValidator } from "../platform/http/validate.ts";
import { API_ROUTES } from "./routes.ts";

test("every schema of an endpoint compiles, though a gateway compiles it for its first request only", () => {
  const schemas = [...API_ROUTES, ...checkoutRoutes].flatMap((route) => [
    route.body,
    "query" in route ? route.query : undefined,
  ]);
  const given = schemas.filter((schema) => schema !== undefined);
  assert.ok(given.length > 40, String(given.length));
  for (const schema of given)
    assert.doesNotThrow(() => compileValidator(schema, "body_field_unknown")({}), JSON.stringify(schema));
});
