import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listensOnLoopback } from "./listener-settings.ts";
import { SettingProblem } from "./setting.ts";
import { readSettings } from "./settings.ts";

function problemOf(environment: Readonly<Record<string, string>>): string {
  try {
    readSettings(environment);
  } catch (error) {
    assert.ok(error instanceof SettingProblem);
    return error.message;
  }
  return assert.fail("it was taken");
}

describe("contract 13: listeners", () => {
  test("the dashboard has a port and an origin of its own, or those of the API", () => {
    assert.equal(readSettings({}).dashboardUrl, "http://localhost:4000");
    assert.equal(readSettings({ TIDEGATE_DASHBOARD_PORT: "4002" }).dashboardUrl, "http://localhost:4002");
    const own = { TIDEGATE_DASHBOARD_PORT: "4002", TIDEGATE_DASHBOARD_URL: "https://desk.example/" };
    assert.equal(readSettings(own).dashboardUrl, "https://desk.example");
    assert.match(
      problemOf({ TIDEGATE_DASHBOARD_URL: "https://desk.example" }),
      /^TIDEGATE_DASHBOARD_PORT is missing beside TIDEGATE_DASHBOARD_URL; allowed: /,
    );
    for (const taken of ["4000", "4001", "4009"]) {
      assert.match(
        problemOf({ TIDEGATE_WATCH_PORT: "4009", TIDEGATE_DASHBOARD_PORT: taken }),
        /^TIDEGATE_DASHBOARD_PORT is the port of another server of this gateway; allowed: /,
      );
    }
    for (const origin of ["http://localhost:4000", "http://localhost:4001"]) {
      assert.match(
        problemOf({ TIDEGATE_DASHBOARD_PORT: "4002", TIDEGATE_DASHBOARD_URL: origin }),
        /^TIDEGATE_DASHBOARD_URL is the origin of the API or of the hosted pages; allowed: /,
      );
    }
  });

  test("a certificate and its key come together", () => {
    assert.match(
      problemOf({ TIDEGATE_TLS_CERT_FILE: "c" }),
      /^TIDEGATE_TLS_KEY_FILE is missing .*; allowed: /,
    );
    assert.match(
      problemOf({ TIDEGATE_TLS_KEY_FILE: "k" }),
      /^TIDEGATE_TLS_CERT_FILE is missing .*; allowed: /,
    );
  });

  test("only loopback addresses are loopback", () => {
    for (const host of ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
      assert.equal(listensOnLoopback({ host }), true);
    for (const host of ["0.0.0.0", "::", "10.0.0.1", "127.example.com", "localhost.example"])
      assert.equal(listensOnLoopback({ host }), false);
  });
});
