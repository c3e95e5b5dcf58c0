import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { openLiveConnectors } from "../../src/app/connectors.ts";
import { checkWallets } from "../../src/cli/doctor/check-wallets.ts";
import { readApplePayKeys } from "../../src/connectors/apple-pay/keys.ts";
import { createLiveApplePay } from "../../src/connectors/apple-pay/live.ts";
import { isAppleGateway } from "../../src/connectors/apple-pay/merchant-session.ts";
import { readGooglePayKeys } from "../../src/connectors/google-pay/keys.ts";
import { instant } from "../../src/kernel/time.ts";
import { SettingProblem } from "../../src/platform/config/setting.ts";
import { readSettings } from "../../src/platform/config/settings.ts";
import { createEgress } from "../../src/platform/egress/egress.ts";
import { createGoogle } from "../support/google-sender.ts";

const MERCHANT_ID = "merchant.example.tidegate";
let folder = "";
const at = (name: string) => join(folder, name);
const openssl = (...words: string[]) => promisify(execFile)("openssl", words);
const google = createGoogle();
const DAY = 86_400_000;

async function certificate(name: string, more: readonly string[] = []): Promise<void> {
  await openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", at(`${name}.key`));
  const subject = ["-subj", "/CN=apple-pay-gateway.apple.com", "-days", "2"];
  const names = ["-addext", "subjectAltName=DNS:apple-pay-gateway.apple.com"];
  await openssl(
    "req",
    "-x509",
    "-key",
    at(`${name}.key`),
    ...subject,
    ...names,
    ...more,
    "-out",
    at(`${name}.pem`),
  );
}

const markOf = (merchantId: string) => {
  const digest = createHash("sha256").update(merchantId).digest("hex").toUpperCase();
  return ["-addext", `1.2.840.113635.100.6.32=ASN1:UTF8String:${digest}`];
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tidegate-wallets-"));
  await Promise.all([
    certificate("processing", markOf(MERCHANT_ID)),
    certificate("foreign", markOf("merchant.other")),
    certificate("identity"),
    certificate("server"),
  ]);
  await openssl("ecparam", "-name", "secp384r1", "-genkey", "-noout", "-out", at("large.key"));
  await writeFile(at("roots.json"), google.rootKeysJson);
  await writeFile(
    at("no-roots.json"),
    JSON.stringify({ keys: [{ protocolVersion: "ECv1", keyValue: "AAAA" }] }),
  );
  await writeFile(
    at("odd-roots.json"),
    JSON.stringify({ keys: [{ protocolVersion: "ECv2", keyValue: "AAAA", keyExpiration: "1" }] }),
  );
  await writeFile(at("empty"), "\n");
  await writeFile(at("association"), "7B22");
  const two = [await readFile(at("identity.key"), "utf8"), google.privateKeyPem];
  await writeFile(at("google.key"), two.join("\n"));
});
after(() => rm(folder, { recursive: true, force: true }));

const GOOGLE = () => ({
  TIDEGATE_GOOGLE_PAY_GATEWAY_ID: "test",
  TIDEGATE_GOOGLE_PAY_MERCHANT_ID: "BCR2DN4T7",
  TIDEGATE_GOOGLE_PAY_KEY_FILE: at("google.key"),
  TIDEGATE_GOOGLE_PAY_ROOT_KEYS_FILE: at("roots.json"),
});
const APPLE = () => ({
  TIDEGATE_APPLE_PAY_MERCHANT_ID: MERCHANT_ID,
  TIDEGATE_APPLE_PAY_PROCESSING_CERT_FILE: at("processing.pem"),
  TIDEGATE_APPLE_PAY_PROCESSING_KEY_FILE: at("processing.key"),
  TIDEGATE_APPLE_PAY_IDENTITY_CERT_FILE: at("identity.pem"),
  TIDEGATE_APPLE_PAY_IDENTITY_KEY_FILE: at("identity.key"),
  TIDEGATE_APPLE_PAY_ASSOCIATION_FILE: at("association"),
});
async function read(environment: Readonly<Record<string, string>>) {
  const settings = readSettings(environment);
  const google = await readGooglePayKeys(settings);
  const apple = await readApplePayKeys(settings);
  return { google, apple: apple?.recipient, identity: apple?.identity };
}
const readBoth = (change: Readonly<Record<string, string>> = {}) =>
  read({ ...GOOGLE(), ...APPLE(), ...change });

describe("contract 1: files for live wallets are checked at the start", () => {
  test("without settings there are no live wallets; with them both are there", async () => {
    assert.deepEqual(await read({}), {
      google: undefined,
      apple: undefined,
      identity: undefined,
    });
    const { google: opened, apple, identity } = await readBoth();
    assert.deepEqual(
      [opened?.recipientId, opened?.privateKeys.length, opened?.rootKeys.length],
      ["gateway:test", 2, 1],
    );
    assert.deepEqual([apple?.merchantId, apple?.privateKeys.length], [MERCHANT_ID, 1]);
    assert.equal(identity?.cert, await readFile(at("identity.pem"), "utf8"));
  });

  const cases: readonly (readonly [string, string, string])[] = [
    ["GOOGLE_PAY_KEY_FILE", "nowhere", "can't be read"],
    ["GOOGLE_PAY_KEY_FILE", "empty", "holds no private key (PEM)"],
    ["GOOGLE_PAY_KEY_FILE", "large.key", "holds a private key that is not of P-256"],
    ["GOOGLE_PAY_ROOT_KEYS_FILE", "empty", "is no JSON"],
    ["GOOGLE_PAY_ROOT_KEYS_FILE", "no-roots.json", "holds no key for ECv2"],
    ["GOOGLE_PAY_ROOT_KEYS_FILE", "odd-roots.json", "holds a key that can't be read"],
    ["APPLE_PAY_PROCESSING_CERT_FILE", "empty", "holds no certificate (PEM)"],
    ["APPLE_PAY_PROCESSING_CERT_FILE", "foreign.pem", "holds a certificate of another merchant identifier"],
    ["APPLE_PAY_PROCESSING_KEY_FILE", "identity.key", "does not hold the key of every certificate"],
    ["APPLE_PAY_IDENTITY_KEY_FILE", "processing.key", "is not the key of the certificate"],
    ["APPLE_PAY_IDENTITY_CERT_FILE", "identity.key", "holds no certificate (PEM)"],
    ["APPLE_PAY_ASSOCIATION_FILE", "empty", "is empty"],
  ];
  for (const [variable, file, problem] of cases) {
    test(`TIDEGATE_${variable}: a file that ${problem}, in one line`, async () => {
      await assert.rejects(readBoth({ [`TIDEGATE_${variable}`]: at(file) }), (error: unknown) => {
        assert.ok(error instanceof SettingProblem);
        assert.ok(
          error.message.startsWith(`TIDEGATE_${variable} names a file that ${problem}; allowed: `),
          error.message,
        );
        return true;
      });
    });
  }

  test("doctor says how long the files last", async () => {
    const says = async (days: number, more: Readonly<Record<string, string>> = {}) =>
      (await checkWallets(readSettings({ ...GOOGLE(), ...APPLE(), ...more }), Date.now() + days * DAY)).map(
        (one) => `${one.status} ${one.says}`,
      );
    const [processing, identity, roots, ...more] = await says(0);
    assert.equal(processing, "warn what TIDEGATE_APPLE_PAY_PROCESSING_CERT_FILE names expires in 1 days");
    assert.equal(identity, "warn what TIDEGATE_APPLE_PAY_IDENTITY_CERT_FILE names expires in 1 days");
    assert.match(roots ?? "", /^ok TIDEGATE_GOOGLE_PAY_ROOT_KEYS_FILE: \d+ days left$/);
    assert.deepEqual(more, []);
    const [expired, , good] = await says(3);
    assert.match(expired ?? "", /^fail what TIDEGATE_APPLE_PAY_PROCESSING_CERT_FILE names has expired: /);
    assert.match(good ?? "", /^ok /);
    // One beside it that lasts longer is enough.
    await certificate("next", ["-days", "9"]);
    const both = [await readFile(at("processing.pem"), "utf8"), await readFile(at("next.pem"), "utf8")];
    await writeFile(at("both.pem"), both.join(""));
    const renewed = await says(3, { TIDEGATE_APPLE_PAY_PROCESSING_CERT_FILE: at("both.pem") });
    assert.match(renewed[0] ?? "", /^warn .* expires in 5 days$/);
  });

  test("a live token opens with any key of the files; a wallet without settings does not exist", async () => {
    const live = await openLiveConnectors(readSettings(GOOGLE()));
    const googlePay = live.table["google-pay"]?.google_pay ?? assert.fail("Google Pay is set up");
    assert.deepEqual(googlePay.setup, {
      environment: "PRODUCTION",
      gateway: "test",
      merchantId: "BCR2DN4T7",
    });
    assert.equal(live.table["apple-pay"], undefined, "nothing opens tokens of Apple Pay");
    const now = instant(Date.now());
    const message = {
      gatewayMerchantId: "mer_1",
      messageExpiration: String(now + 1000),
      paymentMethod: "CARD",
      paymentMethodDetails: {
        pan: "4111111111111111",
        expirationMonth: 12,
        expirationYear: 2099,
        authMethod: "PAN_ONLY",
      },
    };
    const input = { merchantId: "mer_1", paymentRequestId: "pr_1", now } as const;
    const opened = await googlePay.open({ ...input, token: google.seal(JSON.stringify(message), now) });
    assert.equal(opened.kind, "opened");
    await live.close();
  });
});

describe("contract 8: merchant validation calls Apple only", () => {
  let server: Server;
  const seen: { body: string; client: string }[] = [];
  let answer = { status: 200, body: '{"merchantSessionIdentifier":"SSH1"}' };
  before(async () => {
    const tls = {
      cert: await readFile(at("server.pem")),
      key: await readFile(at("server.key")),
      ca: await readFile(at("identity.pem")),
      requestCert: true,
      rejectUnauthorized: true,
    };
    server = createServer(tls, (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { fingerprint256: client } = (request.socket as TLSSocket).getPeerCertificate();
        seen.push({ body: Buffer.concat(chunks).toString(), client });
        response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  after(() => server.close());

  test("sends our certificate and the domain that the payer sees, and returns Apple's answer", async () => {
    const keys = (await readApplePayKeys(readSettings(APPLE()))) ?? assert.fail("Apple Pay is set up");
    const ca = await readFile(at("server.pem"), "utf8");
    // Apple's host is this machine here, on a port of its own.
    const egress = createEgress(async () => [{ address: "127.0.0.1", family: 4 }], { ...keys.identity, ca });
    const { port } = server.address() as AddressInfo;
    const applePay = createLiveApplePay(keys, {
      send: ({ url, ...outgoing }) =>
        egress.send({
          ...outgoing,
          url: url.replace(".com/", `.com:${port}/`),
          reach: "public-and-loopback",
        }),
    });
    try {
      const input = {
        validationUrl: "https://apple-pay-gateway.apple.com/paymentservices/paymentSession",
        domain: "shop.example",
        displayName: "S".repeat(70),
      };
      assert.deepEqual(await applePay.beginSession(input), { merchantSessionIdentifier: "SSH1" });
      assert.deepEqual(JSON.parse(seen[0]?.body ?? ""), {
        merchantIdentifier: MERCHANT_ID,
        displayName: "S".repeat(64),
        initiative: "web",
        initiativeContext: "shop.example",
      });
      assert.match(seen[0]?.client ?? "", /^([0-9A-F]{2}:){31}/);
      for (const wrong of [
        { status: 400, body: "{}" },
        { status: 200, body: "no" },
        { status: 302, body: "" },
      ]) {
        answer = wrong;
        assert.equal(await applePay.beginSession(input), undefined);
      }
      const before = seen.length;
      assert.equal(
        await applePay.beginSession({ ...input, validationUrl: "https://evil.example/" }),
        undefined,
      );
      assert.equal(seen.length, before);
    } finally {
      await egress.close();
    }
  });

  test("accepts Apple's hosts, refuses lookalikes", () => {
    const path = "/paymentservices/paymentSession";
    for (const host of [
      "apple-pay-gateway",
      "apple-pay-gateway-nc-pod1",
      "apple-pay-gateway-cert",
      "cn-apple-pay-gateway-sh-pod2",
    ]) {
      assert.ok(isAppleGateway(`https://${host}.apple.com${path}`), host);
    }
    assert.ok(isAppleGateway("https://apple-pay-gateway.apple.com/paymentservices/startSession"));
    for (const url of [
      `http://apple-pay-gateway.apple.com${path}`,
      `https://apple-pay-gateway.apple.com:8443${path}`,
      `https://me@apple-pay-gateway.apple.com${path}`,
      `https://apple-pay-gateway.apple.com.evil.example${path}`,
      `https://apple-pay-gateway.evil.com${path}`,
      `https://evil-apple-pay-gateway.apple.com${path}`,
      `https://www.apple.com${path}`,
      "https://apple-pay-gateway.apple.com/other",
      `https://127.0.0.1${path}`,
      "apple-pay-gateway.apple.com",
      "",
    ]) {
      assert.equal(isAppleGateway(url), false, url);
    }
  });
});
