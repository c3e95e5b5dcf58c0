import assert from "node:assert/strict";
import { createHash, generateKeyPairSync } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type AppleOverrides, type AppleToken, createApple } from "../../../tests/support/apple-sender.ts";
import { changeSomething, type Dice, diceOf, flipBit } from "../../../tests/support/tampering.ts";
import { type Instant, instant, later, MINUTE } from "../../kernel/time.ts";
import { TokenRefused } from "../wallet-tokens/token-refused.ts";
import { openAppleToken } from "./token.ts";

const MADE_FOR = "mer_1|pr_1";
const SEED = 20_261_115;
const TAMPERED = 300;
const APPLICATION_DATA = createHash("sha256").update(MADE_FOR).digest();

const MESSAGE = {
  applicationPrimaryAccountNumber: "4111111111111111",
  applicationExpirationDate: "991231",
  currencyCode: "036",
  transactionAmount: 3000,
  cardholderName: "Ada Lovelace",
  deviceManufacturerIdentifier: "040010030273",
  paymentDataType: "3DSecure",
  paymentData: { onlinePaymentCryptogram: "AAAAAA1234567890AAAAAAAAAAA=", eciIndicator: "07" },
};

let apple: Awaited<ReturnType<typeof createApple>>;
let [one, other]: AppleToken[] = [];
let now: Instant;
before(async () => {
  apple = await createApple();
  now = instant(Math.floor(Date.now() / 1000) * 1000);
  [one, other] = await Promise.all([seal(), seal()]);
});
after(() => apple.close());

const seal = (message: unknown = MESSAGE, overrides: AppleOverrides = {}) =>
  apple.seal(typeof message === "string" ? message : JSON.stringify(message), {
    applicationData: APPLICATION_DATA,
    ...overrides,
  });

function problemOf(token: unknown, at = instant(Date.now()), madeFor = MADE_FOR): string {
  try {
    openAppleToken(token, apple.recipient, madeFor, at);
  } catch (error) {
    if (error instanceof TokenRefused) return error.problem;
    throw error;
  }
  return "accepted";
}

describe("contract 8: an Apple Pay token, sealed by OpenSSL and Web Crypto", () => {
  test("is opened: the card, its proof, what the payer agreed to", () => {
    const { card, agreed, expiresAt } = openAppleToken(one, apple.recipient, MADE_FOR, now);
    assert.deepEqual(card, {
      number: "4111111111111111",
      expiryMonth: 12,
      expiryYear: 2099,
      name: "Ada Lovelace",
      cryptogram: "AAAAAA1234567890AAAAAAAAAAA=",
      eci: "07",
    });
    assert.deepEqual(agreed, { amount: 3000, currency: "AUD" });
    assert.ok(Math.abs(expiresAt - now - 5 * MINUTE) < MINUTE);
  });

  test("is valid for five minutes, and never before its certificates are", () => {
    const { expiresAt } = openAppleToken(one, apple.recipient, MADE_FOR, now);
    assert.equal(problemOf(one, expiresAt), "accepted");
    assert.equal(problemOf(one, later(expiresAt, 1)), "expired");
    assert.equal(problemOf(one, later(expiresAt, -6 * MINUTE)), "signature_invalid");
  });

  test("in another encoding is the same token", () => {
    const digest = (token: unknown) => openAppleToken(token, apple.recipient, MADE_FOR, now).useDigest;
    const { header, ...rest } = one as AppleToken;
    const transactionId = header["transactionId"]?.toUpperCase();
    assert.deepEqual(digest({ extra: 1, header: { ...header, transactionId }, ...rest }), digest(one));
    assert.notDeepEqual(digest(other), digest(one));
  });

  test("pays for its own payment request only", async () => {
    const inBase64 = createHash("sha256").update(Buffer.from(MADE_FOR).toString("base64")).digest();
    assert.equal(problemOf(await seal(MESSAGE, { applicationData: inBase64 })), "accepted");
    assert.equal(problemOf(one, now, "mer_1|pr_2"), "other_recipient");
    assert.equal(problemOf(one, now, "mer_2|pr_1"), "other_recipient");
  });
});

describe("contract 8: defects of an Apple Pay token whose signature is valid", () => {
  const stranger = () => generateKeyPairSync("ec", { namedCurve: "prime256v1" }).publicKey;
  const cases: readonly (readonly [string, () => Promise<unknown>, string])[] = [
    ["a leaf without Apple's mark", () => seal(MESSAGE, { leaf: "unmarked" }), "signature_invalid"],
    ["a leaf that the root signed itself", () => seal(MESSAGE, { leaf: "by_root" }), "signature_invalid"],
    ["a leaf that may issue", () => seal(MESSAGE, { leaf: "issuer" }), "signature_invalid"],
    [
      "another root",
      () => seal(MESSAGE, { leaf: "stranger", along: ["other-intermediate"] }),
      "signature_invalid",
    ],
    ["another root beside ours", () => seal(MESSAGE, { leaf: "stranger" }), "signature_invalid"],
    [
      "two intermediates",
      () => seal(MESSAGE, { along: ["intermediate", "other-intermediate"] }),
      "signature_invalid",
    ],
    ["no intermediate", () => seal(MESSAGE, { along: [] }), "signature_invalid"],
    [
      "an intermediate without Apple's mark",
      () => seal(MESSAGE, { along: ["bare-intermediate"] }),
      "signature_invalid",
    ],
    [
      "an intermediate that may not issue",
      () => seal(MESSAGE, { leaf: "of-powerless", along: ["powerless"] }),
      "signature_invalid",
    ],
    ["no certificates", () => seal(MESSAGE, { flags: ["-nocerts"] }), "signature_invalid"],
    ["no signed attributes", () => seal(MESSAGE, { flags: ["-noattr"] }), "signature_invalid"],
    ["a signature around the data", () => seal(MESSAGE, { flags: ["-nodetach"] }), "signature_invalid"],
    ["a signer named by its key", () => seal(MESSAGE, { flags: ["-keyid"] }), "signature_invalid"],
    ["another digest", () => seal(MESSAGE, { flags: ["-md", "sha384"] }), "signature_invalid"],
    ["nothing that ties it to a request", () => seal(MESSAGE, { applicationData: null }), "other_recipient"],
    ["another key of ours", () => seal(MESSAGE, { encryptFor: stranger() }), "other_recipient"],
    ["text that is no JSON", () => seal("plaintext"), "unreadable"],
    [
      "a name twice inside",
      () => seal(JSON.stringify(MESSAGE).replace("{", '{"currencyCode":"036",')),
      "unreadable",
    ],
    ["a chip card's data", () => seal({ ...MESSAGE, paymentDataType: "EMV" }), "card_unusable"],
    ["no cryptogram", () => seal({ ...MESSAGE, paymentData: {} }), "unreadable"],
    ["a card that is over", () => seal({ ...MESSAGE, applicationExpirationDate: "200101" }), "card_unusable"],
    ["a date that is none", () => seal({ ...MESSAGE, applicationExpirationDate: "2099" }), "card_unusable"],
    [
      "a number that fails its check",
      () => seal({ ...MESSAGE, applicationPrimaryAccountNumber: "4111111111111112" }),
      "card_unusable",
    ],
    ["a currency that we don't take", () => seal({ ...MESSAGE, currencyCode: "840" }), "card_unusable"],
    ["an amount that is none", () => seal({ ...MESSAGE, transactionAmount: "3000" }), "card_unusable"],
    ["nothing", async () => undefined, "unreadable"],
    ["a text", async () => JSON.stringify(one), "unreadable"],
    ["the version for RSA", async () => ({ ...one, version: "RSA_v1" }), "unreadable"],
  ];
  for (const [what, token, problem] of cases) {
    test(`${what}: ${problem}`, async () => assert.equal(problemOf(await token()), problem));
  }
});

describe("contract 8: tampered Apple Pay tokens", () => {
  test(`of ${TAMPERED} all are refused, and none causes another error (seed ${SEED})`, () => {
    const dice = diceOf(SEED);
    const kinds = [changedField, flippedBit, swappedPart];
    const good = [one, other] as unknown as AppleToken[];
    let made = 0;
    while (made < TAMPERED) {
      const kind = kinds[made % kinds.length] as (typeof kinds)[number];
      const token = kind(dice, good[0] as AppleToken, good[1] as AppleToken);
      if (good.some((whole) => JSON.stringify(token) === JSON.stringify(whole))) continue;
      made += 1;
      assert.notEqual(problemOf(token, now), "accepted", `${kind.name}: ${JSON.stringify(token)}`);
    }
    assert.equal(problemOf(one, now), "accepted");
  });
});

function changedField(dice: Dice, token: AppleToken): object {
  return changeSomething(dice, token);
}

function flippedBit(dice: Dice, token: AppleToken): object {
  const place = dice.below(4);
  const { header } = token;
  if (place === 0) return { ...token, data: flipBit(dice, token.data) };
  if (place === 1) return { ...token, signature: flipBit(dice, token.signature) };
  const key = flipBit(dice, header["ephemeralPublicKey"] ?? "");
  if (place === 2) return { ...token, header: { ...header, ephemeralPublicKey: key } };
  const id = Buffer.from(header["transactionId"] ?? "", "hex").toString("base64");
  const transactionId = Buffer.from(flipBit(dice, id), "base64").toString("hex");
  return { ...token, header: { ...header, transactionId } };
}

function swappedPart(dice: Dice, token: AppleToken, other: AppleToken): object {
  const places = ["data", "signature", "header"] as const;
  const place = places[dice.below(places.length)] ?? "data";
  if (place !== "header" || dice.below(2) === 0) return { ...token, [place]: other[place] };
  const names = ["ephemeralPublicKey", "transactionId"] as const;
  const name = names[dice.below(2)] ?? "transactionId";
  return { ...token, header: { ...token.header, [name]: other.header[name] } };
}
