import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { assertAnswered, assertFailed, egressOf, post, WITHIN_MS } from "../../../tests/support/exchanges.ts";
import { httpServer } from "../../../tests/support/odd-servers.ts";
import { createEgress } from "./egress.ts";
import { reasonOf } from "./failure.ts";

describe("contract 7: the address that was checked is the one that is dialled", () => {
  const server = httpServer((_request, response) => response.end("inside"));

  test("a name that points to this machine is called in the sandbox, and not in live mode", async () => {
    const port = await server;
    const egress = egressOf(["127.0.0.1"]);
    assertAnswered(await post(egress, `http://shop.example:${port}/`), 200, false);
    const live = await egress.send({
      method: "POST",
      url: "https://shop.example/",
      headers: {},
      reach: "public",
      withinMs: WITHIN_MS,
    });
    assertFailed(live, "address_refused");
    assert.deepEqual(egress.lookedUp, ["shop.example", "shop.example"]);
  });

  test("a name that was public when it was checked and is private when it is dialled is not called", async () => {
    const port = await server;
    const answers = [["8.8.8.8"], ["10.0.0.1"], ["127.0.0.1"]];
    const egress = egressOf(() => answers.shift() ?? []);
    assert.equal(await egress.pointsInside(`http://shop.example:${port}/`, "public-and-loopback"), false);
    assertFailed(await post(egress, `http://shop.example:${port}/`), "address_refused");
    // The third look-up would have led to this machine, which is allowed here: one look-up decides, and is dialled.
    assertAnswered(await post(egress, `http://shop.example:${port}/`), 200, false);
    assert.equal(egress.lookedUp.length, 3);
  });

  for (const addresses of [
    ["127.0.0.1", "10.0.0.1"],
    ["10.0.0.1", "127.0.0.1"],
    ["::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1"],
    ["169.254.169.254"],
    ["0.0.0.0"],
    ["::"],
  ]) {
    test(`a name that points to ${addresses.join(" and ")} is not called`, async () => {
      const port = await server;
      const egress = egressOf(addresses);
      assertFailed(await post(egress, `http://shop.example:${port}/`), "address_refused");
      assert.equal(await egress.pointsInside(`http://shop.example:${port}/`, "public-and-loopback"), true);
    });
  }

  test("an address in the URL itself is checked too, though nothing is looked up", async () => {
    const egress = egressOf(["8.8.8.8"]);
    for (const host of ["10.0.0.1", "0.0.0.0", "[::ffff:127.0.0.1]", "169.254.169.254"]) {
      assertFailed(await post(egress, `http://${host}:8080/`), "address_refused");
      assert.equal(await egress.pointsInside(`http://${host}:8080/`, "public-and-loopback"), true);
    }
    const live = { method: "POST", headers: {}, reach: "public", withinMs: WITHIN_MS } as const;
    assertFailed(await egress.send({ ...live, url: "https://127.0.0.1/" }), "address_refused");
    assertFailed(await egress.send({ ...live, url: "http://shop.example/" }), "address_refused");
    assertFailed(await egress.send({ ...live, url: "https://shop.example:22/" }), "address_refused");
    assert.deepEqual(egress.lookedUp, []);
  });

  test("a name that does not resolve, for whatever reason, is an error of its endpoint; no network at all is ours", async () => {
    for (const [code, reason, ours] of [
      ["ENOTFOUND", "name_not_found", false],
      ["EAI_AGAIN", "name_service_unavailable", false],
      ["ESERVFAIL", "name_service_unavailable", false],
      ["EREFUSED", "name_service_unavailable", false],
      ["ETIMEOUT", "name_service_unavailable", false],
      ["ENETUNREACH", "network_unreachable", true],
    ] as const) {
      const egress = createEgress(async () => {
        throw Object.assign(new Error(code), { code });
      });
      after(egress.close);
      const exchange = await post(egress, "http://shop.example/");
      assertFailed(exchange, reason);
      assert.equal(exchange.outcome === "failed" && exchange.isOurs, ours);
      assert.equal(await egress.pointsInside("http://shop.example/", "public"), false);
    }
    assertFailed(await post(egressOf([]), "http://shop.example/"), "name_not_found");
  });

  test("addresses of a family without a route are an error of their endpoint, while there is a route by the other", async () => {
    const [v4, v6] = ["8.8.8.8", "2606:4700::1111"];
    for (const [tried, routed, reason] of [
      [[v6], [4], "no_route"],
      [[v6, v6], [4], "no_route"],
      [[v4], [6], "no_route"],
      [[v6], [], "network_unreachable"],
      [[v4], [4, 6], "network_unreachable"],
      [[v4, v6], [4], "network_unreachable"],
    ] as const) {
      const errors = tried.map((address) =>
        Object.assign(new Error(address), { code: "ENETUNREACH", address }),
      );
      const isRouted = async (family: number) => routed.some((one) => one === family);
      const [first = assert.fail(), ...others] = errors;
      const fail = async () => {
        throw others.length === 0 ? first : new AggregateError(errors);
      };
      const egress = createEgress(fail, {}, isRouted);
      after(egress.close);
      const exchange = await post(egress, "http://shop.example/");
      assertFailed(exchange, reason);
      assert.equal(exchange.outcome === "failed" && exchange.isOurs, reason === "network_unreachable");
    }
  });

  test("of several addresses that failed, one that was reached determines the reason", () => {
    const failure = (code: string) => Object.assign(new Error(code), { code });
    const all = (...codes: string[]) => reasonOf(new AggregateError(codes.map(failure)));
    assert.equal(all("ENETUNREACH", "ECONNREFUSED"), "connection_refused");
    assert.equal(all("ENETUNREACH", "ENETUNREACH"), "network_unreachable");
    assert.equal(reasonOf(failure("CERT_HAS_EXPIRED")), "tls_failed");
    assert.equal(reasonOf("nonsense"), "connection_failed");
  });
});
