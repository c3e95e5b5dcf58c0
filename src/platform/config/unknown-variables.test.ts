import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readSettings, SETTINGS } from "./settings.ts";
import { findUnknownVariables } from "./unknown-variables.ts";

const KNOWN = Object.values(SETTINGS).map(({ variable }) => variable);

describe("variables that look like settings", () => {
  const misspelt = [
    ["TIDEGATE_VALUT_KEY", "TIDEGATE_VAULT_KEY"],
    ["TIDEGATE_VAULTKEY", "TIDEGATE_VAULT_KEY"],
    ["TIDEGATE_API_PROT", "TIDEGATE_API_PORT"],
    ["tidegate_api_port", "TIDEGATE_API_PORT"],
    ["TIDEGATE_DATADIR", "TIDEGATE_DATA_DIR"],
    ["TIDEGATE_BASEURL", "TIDEGATE_BASE_URL"],
    ["TIDEGATE_PORT", "TIDEGATE_API_PORT"],
    ["TIDEGATE_DIR", "TIDEGATE_DATA_DIR"],
    ["TIDEGATE_DATABASE_URL", "DATABASE_URL"],
    ["TIDEGATE_DATABASE_OWNER_URL", "DATABASE_OWNER_URL"],
  ] as const;
  for (const [typed, meant] of misspelt) {
    test(`${typed} is refused, and the line names ${meant}`, () => {
      assert.throws(
        () => readSettings({ [typed]: "x" }),
        (error: Error) =>
          error.message.startsWith(`${typed} is no setting, did you mean ${meant}?; allowed: `) &&
          !error.message.includes("\n"),
      );
    });
  }

  test("a name that is close to no setting is reported and has no effect", () => {
    const { unknownVariables } = readSettings({ TIDEGATE_FAVOURITE_COLOUR: "blue", TIDEGATE_ZZZZZZZZ: "1" });
    assert.deepEqual(unknownVariables, ["TIDEGATE_FAVOURITE_COLOUR", "TIDEGATE_ZZZZZZZZ"]);
  });

  test("variables of callers, of tests and of Kubernetes are none of the gateway's", () => {
    const others = {
      TIDEGATE_API_KEY: "k",
      TIDEGATE_URL: "u",
      TIDEGATE_TEST_DATA_DIR: "d",
      TIDEGATE_PORT: "tcp://10.0.0.1:4000",
      TIDEGATE_PORT_4000_TCP_ADDR: "10.0.0.1",
      TIDEGATE_SERVICE_HOST: "10.0.0.1",
      TIDEGATE_API_SERVICE_PORT_HTTP: "4000",
      TIDEGATE_ROLE: "",
    };
    assert.deepEqual(findUnknownVariables(others, KNOWN), []);
    assert.deepEqual(findUnknownVariables({ TIDEGATE_ROLE: "api" }, KNOWN), [
      { variable: "TIDEGATE_ROLE", meant: "TIDEGATE_ROLES" },
    ]);
  });
});
