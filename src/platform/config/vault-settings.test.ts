import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readSettings } from "./settings.ts";
import { holdsNoVaultKey } from "./vault-settings.ts";

const KEY = "a0".repeat(32);
const SERVICE = {
  TIDEGATE_TRANSIT_URL: "https://vault.example:8200",
  TIDEGATE_TRANSIT_KEY: "tidegate",
  TIDEGATE_TRANSIT_TOKEN_FILE: "/run/token",
};

const without = (name: keyof typeof SERVICE) =>
  Object.fromEntries(Object.entries(SERVICE).filter(([one]) => one !== name));

describe("settings of the vault's keys", () => {
  for (const more of [
    {},
    { TIDEGATE_VAULT_KEY: KEY },
    { TIDEGATE_TRANSIT_TEXT_KEY: "tidegate-texts" },
    { TIDEGATE_TRANSIT_MOUNT: "team/transit", TIDEGATE_TRANSIT_NAMESPACE: "payments" },
    { TIDEGATE_TRANSIT_URL: "http://127.0.0.1:8100", TIDEGATE_TRANSIT_CA_FILE: "/ca.pem" },
    { TIDEGATE_TRANSIT_URL: "http://localhost:8100" },
    { TIDEGATE_TRANSIT_URL: "http://[::1]:8100" },
  ]) {
    test(`a key service is accepted with ${JSON.stringify(more)}`, () => {
      readSettings({ ...SERVICE, ...more });
    });
  }

  const APP_ROLE = { TIDEGATE_TRANSIT_ROLE_ID_FILE: "/r", TIDEGATE_TRANSIT_SECRET_ID_FILE: "/s" };
  test("an AppRole stands in for a token", () => {
    readSettings({ ...without("TIDEGATE_TRANSIT_TOKEN_FILE"), ...APP_ROLE });
  });

  for (const [environment, words] of [
    [without("TIDEGATE_TRANSIT_URL"), /^TIDEGATE_TRANSIT_URL is missing beside TIDEGATE_TRANSIT_KEY/],
    [without("TIDEGATE_TRANSIT_KEY"), /^TIDEGATE_TRANSIT_KEY is missing beside TIDEGATE_TRANSIT_URL/],
    [without("TIDEGATE_TRANSIT_TOKEN_FILE"), /^TIDEGATE_TRANSIT_TOKEN_FILE is missing/],
    [{ ...SERVICE, ...APP_ROLE }, /^TIDEGATE_TRANSIT_TOKEN_FILE is set beside TIDEGATE_TRANSIT_ROLE_ID_FILE/],
    [
      { ...without("TIDEGATE_TRANSIT_TOKEN_FILE"), TIDEGATE_TRANSIT_ROLE_ID_FILE: "/r" },
      /^TIDEGATE_TRANSIT_SECRET_ID_FILE is missing beside TIDEGATE_TRANSIT_ROLE_ID_FILE/,
    ],
    [{ ...SERVICE, TIDEGATE_TRANSIT_URL: "http://vault.example" }, /^TIDEGATE_TRANSIT_URL must be https/],
    [{ ...SERVICE, TIDEGATE_TRANSIT_URL: "http://127.0.0.1.example" }, /^TIDEGATE_TRANSIT_URL must be https/],
    [
      { TIDEGATE_VAULT_KEY: KEY, TIDEGATE_VAULT_KEY_SHARES: "/a,/b" },
      /^TIDEGATE_VAULT_KEY_SHARES is set beside TIDEGATE_VAULT_KEY; allowed: one of the two/,
    ],
    [
      { TIDEGATE_VAULT_KEY_FILE: "/k", TIDEGATE_VAULT_KEY_SHARES: "/a,/b" },
      /^TIDEGATE_VAULT_KEY_SHARES is set beside TIDEGATE_VAULT_KEY_FILE/,
    ],
    [
      { TIDEGATE_TEXT_KEY: KEY, TIDEGATE_TEXT_KEY_FILE: "/k" },
      /^TIDEGATE_TEXT_KEY_FILE is set beside TIDEGATE_TEXT_KEY/,
    ],
    [
      { ...SERVICE, TIDEGATE_TEXT_KEY: KEY, TIDEGATE_TRANSIT_TEXT_KEY: "t" },
      /^TIDEGATE_TRANSIT_TEXT_KEY is set beside TIDEGATE_TEXT_KEY/,
    ],
  ] as const) {
    test(`refuses ${Object.keys(environment).join(", ")}: ${words.source}`, () => {
      assert.throws(() => readSettings(environment), { message: words });
    });
  }

  for (const [environment, holdsNone] of [
    [{ TIDEGATE_ROLES: "webhooks", TIDEGATE_TEXT_KEY: KEY }, true],
    [{ TIDEGATE_ROLES: "webhooks", TIDEGATE_TEXT_KEY_FILE: "/k" }, true],
    [
      { ...without("TIDEGATE_TRANSIT_KEY"), TIDEGATE_ROLES: "webhooks", TIDEGATE_TRANSIT_TEXT_KEY: "texts" },
      true,
    ],
    [{ TIDEGATE_ROLES: "webhooks" }, false],
    [{ TIDEGATE_ROLES: "webhooks,api", TIDEGATE_TEXT_KEY: KEY }, false],
    [{ TIDEGATE_ROLES: "webhooks", TIDEGATE_TEXT_KEY: KEY, TIDEGATE_VAULT_KEY: KEY }, false],
    [{ ...SERVICE, TIDEGATE_ROLES: "webhooks", TIDEGATE_TRANSIT_TEXT_KEY: "texts" }, false],
    [{}, false],
  ] as const) {
    test(`${Object.keys(environment).join(", ") || "nothing set"}: ${holdsNone ? "no vault key" : "a vault key"} is held`, () => {
      assert.equal(holdsNoVaultKey(readSettings(environment)), holdsNone);
    });
  }
});
