import assert from "node:assert/strict";
import { resolve } from "node:path";
import { describe, test } from "node:test";
import { VAULT_SETTING_CASES } from "../../../tests/support/vault-setting-cases.ts";
import { SettingProblem } from "./setting.ts";
import { readSettings, SETTINGS } from "./settings.ts";

type Environment = Readonly<Record<string, string>>;

function problemOf(environment: Environment): string {
  try {
    readSettings(environment);
  } catch (error) {
    assert.ok(error instanceof SettingProblem, String(error));
    return error.message;
  }
  return assert.fail("it was taken");
}

/** Both sides of every variable. A long text is one character too long, or as long as it may be. */
const CASES: Readonly<
  Record<keyof typeof SETTINGS, { taken: readonly string[]; refused: readonly string[] }>
> = {
  apiPort: {
    taken: ["1", "65535", "08080"],
    refused: ["0", "65536", "-1", "80a", "0x50", "1e3", "4000.0", " 4000", "4".repeat(400)],
  },
  hostedPort: { taken: ["1", "65535"], refused: ["0", "65536", "port", "١"] },
  dashboardPort: { taken: ["0", "1", "65535"], refused: ["-1", "65536", "port", "١"] },
  dashboardUrl: {
    taken: [],
    refused: ["desk.example", "ftp://desk.example", "https://desk.example/path"],
  },
  metricsToken: {
    taken: ["x".repeat(16), "x".repeat(256)],
    refused: ["x".repeat(15), "x".repeat(257), "é".repeat(20)],
  },
  securityContact: {
    taken: ["mailto:security@pay.example", "https://pay.example/security", "tel:+61-2-0000"],
    refused: ["security@pay.example", "http://pay.example", "mailto:", "tel:x"],
  },
  watchPort: { taken: ["0", "1", "65535"], refused: ["-1", "65536", "port", "١"] },
  host: {
    taken: ["0.0.0.0", "::", "::1", "localhost", "my-host.example"],
    refused: ["a b", "http://x", "a/b", "x".repeat(254), "é", "a\nb"],
  },
  baseUrl: {
    taken: [
      "http://localhost:9000",
      "https://pay.example",
      "https://pay.example/",
      "HTTPS://PAY.example:8443",
    ],
    refused: [
      "pay.example",
      "ftp://pay.example",
      "https://pay.example/api",
      "https://me@pay.example",
      "https://me:secret-word@pay.example",
      "https://pay.example?x",
      "https://pay.example#x",
      "https://",
      "javascript:alert(1)",
    ],
  },
  hostedUrl: {
    taken: ["https://checkout.example"],
    refused: ["checkout.example", "https://checkout.example/x", "https://a:secret-word@checkout.example"],
  },
  payIdDomain: {
    taken: ["payid.example", "a.b-c.example"],
    refused: [
      "payid",
      "PayID.example",
      "-a.example",
      "a-.example",
      "a..example",
      ".example",
      "a.example.",
      "a b.example",
      `${"a".repeat(64)}.example`,
      "a@b.example",
    ],
  },
  databaseUrl: {
    taken: [
      "postgres://localhost/x",
      "postgresql://me:word@host:5432/db?sslmode=require",
      "postgres://me%40home:50%25off@host/db",
      "postgres://me:50%secret-word@host/db",
      "postgres:///db?host=/tmp",
      `postgres://host/db?sslmode=verify-full&sslrootcert=${import.meta.filename}`,
    ],
    refused: [
      "mysql://localhost",
      "localhost:5432",
      "postgres:/x",
      "postgres://me:secret/word@host:port/db",
      "postgres://host:99999/db",
      "postgres://us%zzer:word@host/db",
      "postgres://me:a%ff@host/db",
      "postgres://host/db?sslmode=verify-full&sslrootcert=/no/such/file",
      "postgres://host/db?sslcert=/no/such/file",
      "postgres://host/db?sslkey=/",
      "POSTGRES",
    ],
  },
  databaseOwnerUrl: { taken: [], refused: ["mysql://x", "postgres:", "x"] },
  databaseReadUrl: { taken: [], refused: ["mysql://x", "postgres:", "x"] },
  readStalenessMs: { taken: ["1", "10000"], refused: ["0", "10001", "-1", "1.5", "x"] },
  auditSink: {
    taken: ["file:/var/log/heads", "syslog://logs.example", "syslog://127.0.0.1:1514", "syslog://[::1]:1"],
    refused: [
      "/var/log/heads",
      "file:heads",
      "syslog:logs",
      "syslog://",
      "syslog://logs.example/x",
      "syslog://logs.example?x",
      "syslog://logs:99999",
      "syslog://logs:0",
      "syslog://logs:abc",
      "syslog://:514",
      "http://x",
    ],
  },
  dataDir: { taken: [".", "/tmp/x", "a b"], refused: [" ", "\t"] },
  databasePoolSize: { taken: ["2", "500"], refused: ["1", "501", "many"] },
  preparedStatements: { taken: ["on", "off"], refused: ["true", "ON", "1", "no"] },
  roles: {
    taken: ["api", "worker,api", " checkout , worker "],
    refused: ["web", "api,web", ",", "api,", "API", " "],
  },
  sandboxApiKey: {
    taken: ["k".repeat(20), "k".repeat(128), "!~{}[]:;<>,.?/|\\'\"`^&*()"],
    refused: [
      "k".repeat(19),
      "k".repeat(129),
      "secret word with spaces",
      "sécret-word-sécret-word",
      "secret-word-secret-word\n",
    ],
  },
  sandboxSettlementSeconds: { taken: ["0", "86400"], refused: ["-1", "86401", "soon"] },
  sandboxPrivateWebhooks: {
    taken: ["off", "loopback", "private"],
    refused: ["on", "none", "Loopback", "lan"],
  },
  secondFactor: { taken: ["automatic", "optional", "required"], refused: ["on", "Required"] },
  requestsAtMost: { taken: ["1", "100000"], refused: ["0", "100001", "off", "1.5"] },
  rateLimit: { taken: ["0", "1", "1000000"], refused: ["-1", "1000001", "off", "1.5"] },
  ...VAULT_SETTING_CASES,
  googlePayGateway: { taken: [], refused: [" ", "a b", "x".repeat(129), "a/b"] },
  googlePayMerchantId: { taken: ["BCR2DN4T7XXXXXXX", "x".repeat(128)], refused: ["a b"] },
  googlePayKeyFile: { taken: [], refused: [" "] },
  googlePayRootKeysFile: { taken: [], refused: [" "] },
  applePayMerchantId: { taken: [], refused: ["merchant id", "x".repeat(129)] },
  applePayProcessingCertFile: { taken: [], refused: [" "] },
  applePayProcessingKeyFile: { taken: [], refused: [" "] },
  applePayIdentityCertFile: { taken: [], refused: [" "] },
  applePayIdentityKeyFile: { taken: [], refused: [" "] },
  applePayAssociationFile: { taken: [], refused: [" "] },
  // Both sides: mail-settings.test.ts.
  smtpUrl: { taken: [], refused: ["mail.example"] },
  mailFrom: { taken: [], refused: ["shop"] },
  tlsCertFile: { taken: [], refused: [" "] },
  tlsKeyFile: { taken: [], refused: [" "] },
  trustedProxies: {
    taken: ["127.0.0.1", "10.0.0.0/8, ::1", "fd00::/8,192.0.2.1/32", "::/0"],
    refused: [
      "proxy.example",
      "10.0.0.0/33",
      "::1/129",
      "999.1.1.1",
      "10.0.0",
      "::::",
      "10.0.0.1/8/8",
      "10.0.0.1,",
      "10.0.0.1 10.0.0.2",
      "true",
      "/8",
      "10.0.0.0/-1",
    ],
  },
  logLevel: { taken: ["debug", "info", "warn", "error", "silent"], refused: ["INFO", "trace", "all", "1"] },
};

describe("contract 1: every setting is checked in one place", () => {
  for (const [name, { taken, refused }] of Object.entries(CASES)) {
    const setting = SETTINGS[name as keyof typeof SETTINGS];
    for (const text of taken) {
      test(`${setting.variable} takes ${JSON.stringify(text).slice(0, 60)}`, () => {
        readSettings({ [setting.variable]: text });
      });
    }
    for (const text of refused) {
      test(`${setting.variable} refuses ${JSON.stringify(text).slice(0, 60)} in one line`, () => {
        const message = problemOf({ [setting.variable]: text });
        assert.ok(message.startsWith(`${setting.variable} `), message);
        assert.ok(message.endsWith(`; allowed: ${setting.allowed}`), message);
        assert.doesNotMatch(message, /\n/);
        assert.doesNotMatch(message, /secret|sécret/);
      });
    }
  }

  test("an empty variable counts as unset", () => {
    const empty = Object.fromEntries(Object.values(SETTINGS).map(({ variable }) => [variable, ""]));
    assert.deepEqual(readSettings(empty), readSettings({}));
  });

  test("the defaults are those of the contract", () => {
    const { baseUrl, hostedUrl, host, payIdDomain, dataDir, databaseUrl, rateLimit, roles } = readSettings(
      {},
    );
    assert.deepEqual(
      { baseUrl, hostedUrl, host, payIdDomain, dataDir, databaseUrl, rateLimit, roles },
      {
        baseUrl: "http://localhost:4000",
        hostedUrl: "http://localhost:4001",
        host: "127.0.0.1",
        payIdDomain: "payid.tidegate.test",
        dataDir: resolve(".tidegate"),
        databaseUrl: undefined,
        rateLimit: 1000,
        roles: ["api", "checkout", "worker", "webhooks"],
      },
    );
  });

  test("no two settings share a variable, and each is described", () => {
    const variables = Object.values(SETTINGS).map((one) => one.variable);
    assert.equal(new Set(variables).size, variables.length);
    for (const { variable, about, allowed, standard } of Object.values(SETTINGS)) {
      assert.match(variable, /^(TIDEGATE_[A-Z_]+|DATABASE_(OWNER_|READ_)?URL)$/);
      assert.ok(about.length > 5 && allowed.length > 2 && standard.length > 0, variable);
    }
  });

  test("other variables are none of our business", () => {
    assert.deepEqual(readSettings({ PATH: "x", HOME: "y", __proto__: "z", TIDEGATE: "a" }), readSettings({}));
  });
});

describe("contract 1: settings that go together", () => {
  test("addresses follow the ports and TLS, unless they are given", () => {
    assert.equal(readSettings({ TIDEGATE_API_PORT: "5000" }).baseUrl, "http://localhost:5000");
    const tls = { TIDEGATE_TLS_CERT_FILE: "c", TIDEGATE_TLS_KEY_FILE: "k" };
    assert.equal(readSettings(tls).baseUrl, "https://localhost:4000");
    assert.equal(readSettings(tls).hostedUrl, "https://localhost:4001");
    assert.equal(
      readSettings({ ...tls, TIDEGATE_BASE_URL: "https://PAY.example:443/" }).baseUrl,
      "https://pay.example",
    );
  });

  test("the hosted pages are never on the API's origin or port", () => {
    assert.match(
      problemOf({ TIDEGATE_HOSTED_URL: "http://localhost:4000" }),
      /^TIDEGATE_HOSTED_URL is the origin of the API; allowed: /,
    );
    const same = {
      TIDEGATE_BASE_URL: "https://pay.example",
      TIDEGATE_HOSTED_URL: "https://PAY.example:443/",
    };
    assert.match(problemOf(same), /^TIDEGATE_HOSTED_URL is the origin of the API; allowed: /);
    const port = { TIDEGATE_HOSTED_PORT: "4000", TIDEGATE_HOSTED_URL: "http://localhost:4001" };
    for (const ports of [port, { TIDEGATE_HOSTED_PORT: "4000" }, { TIDEGATE_API_PORT: "4001" }]) {
      assert.match(
        problemOf(ports),
        /^TIDEGATE_HOSTED_PORT is the port of the API, TIDEGATE_API_PORT; allowed: /,
      );
    }
    for (const taken of ["4000", "4001"]) {
      assert.match(
        problemOf({ TIDEGATE_WATCH_PORT: taken }),
        /^TIDEGATE_WATCH_PORT is the port of the API or of the checkout; allowed: /,
      );
    }
  });
});
