import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** A path of each kind of route beside the API's own, which tests/spec/http/bodies.test.ts covers. */
const ROUTES = [
  ["an acquirer's notifications", "baseUrl", "/connectors/adyen/acq_none/notifications", JSON_TYPE],
  ["the dashboard's forms", "baseUrl", "/dashboard/signin", FORM_TYPE],
  ["browsers' reports", "hostedUrl", "/page-reports", "application/csp-report"],
  ["the checkout frame", "hostedUrl", "/checkout/initialise", JSON_TYPE],
  ["the hosted page's form", "hostedUrl", "/pay/none", FORM_TYPE],
] as const;

describe("a body in another encoding or charset is refused with 415 on every kind of route", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway();
  });
  after(() => gateway.stop());

  for (const [what, origin, path, type] of ROUTES) {
    const send = async (headers: Readonly<Record<string, string>>) => {
      const url = gateway[origin] + path;
      const body = type === FORM_TYPE ? "a=b" : "{}";
      return (await fetch(url, { method: "POST", headers: { "content-type": type, ...headers }, body }))
        .status;
    };

    test(what, async () => {
      for (const encoding of ["gzip", "br", "deflate", "nonsense"])
        assert.equal(await send({ "content-encoding": encoding }), 415, encoding);
      assert.equal(await send({ "content-type": `${type}; charset=utf-16` }), 415);
      for (const headers of [
        {},
        { "content-encoding": "identity" },
        { "content-type": `${type}; charset=utf-8` },
      ])
        assert.notEqual(await send(headers), 415);
    });
  }
});
