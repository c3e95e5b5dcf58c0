import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createGoogle, type GoogleOverrides, otherKey } from "../../../tests/support/google-sender.ts";
import { changeSomething, type Dice, diceOf, flipBit, placesOf } from "../../../tests/support/tampering.ts";
import { instant } from "../../kernel/time.ts";
import { TokenRefused } from "../wallet-tokens/token-refused.ts";
import { openGoogleToken } from "./token.ts";

const NOW = instant(Date.UTC(2026, 10, 15));
const MERCHANT = "mer_1";
const SEED = 20_261_115;
const TAMPERED = 700;

const google = createGoogle();

const MESSAGE = {
  gatewayMerchantId: MERCHANT,
  messageExpiration: String(NOW + 60_000),
  messageId: "message-1",
  paymentMethod: "CARD",
  paymentMethodDetails: {
    pan: "4111111111111111",
    expirationMonth: 11,
    expirationYear: 2026,
    authMethod: "CRYPTOGRAM_3DS",
    cryptogram: "AAAAAA1234567890AAAAAAAAAAA=",
    eciIndicator: "05",
  },
};

const open = (token: unknown, now = NOW) => openGoogleToken(token, google.recipient, MERCHANT, now);
const seal = (message: unknown = MESSAGE, overrides: GoogleOverrides = {}) =>
  google.seal(typeof message === "string" ? message : JSON.stringify(message), NOW, overrides);
const sealDetails = (change: object) =>
  seal({ ...MESSAGE, paymentMethodDetails: { ...MESSAGE.paymentMethodDetails, ...change } });

function problemOf(token: unknown, now = NOW): string {
  try {
    open(token, now);
  } catch (error) {
    if (error instanceof TokenRefused) return error.problem;
    throw error;
  }
  return "accepted";
}

describe("contract 8: a valid Google Pay token", () => {
  test("is opened: the card, its proof, and its expiry", () => {
    const { card, expiresAt } = open(seal());
    assert.deepEqual(card, {
      number: "4111111111111111",
      expiryMonth: 11,
      expiryYear: 2026,
      cryptogram: "AAAAAA1234567890AAAAAAAAAAA=",
      eci: "05",
    });
    assert.equal(expiresAt, NOW + 60_000);
  });

  test("with a number only has neither cryptogram nor indicator", () => {
    const { card } = open(
      sealDetails({ authMethod: "PAN_ONLY", cryptogram: undefined, eciIndicator: undefined }),
    );
    assert.deepEqual(card, { number: "4111111111111111", expiryMonth: 11, expiryYear: 2026 });
  });

  test("may omit the indicator, or leave it empty", () => {
    for (const eciIndicator of [undefined, null, ""]) {
      assert.equal("eci" in open(sealDetails({ eciIndicator })).card, false);
    }
  });

  test("is valid until its expiry, and not at it", () => {
    const token = seal();
    assert.equal(problemOf(token, instant(NOW + 59_999)), "accepted");
    assert.equal(problemOf(token, instant(NOW + 60_000)), "expired");
  });

  test("in another encoding is the same token", () => {
    const token = seal();
    const { signedMessage, ...rest } = JSON.parse(token);
    const otherwise = `  ${JSON.stringify({ extra: 1, signedMessage, ...rest }, null, 2)}`;
    assert.deepEqual(open(otherwise).useDigest, open(token).useDigest);
    assert.notDeepEqual(open(seal()).useDigest, open(token).useDigest);
  });
});

describe("contract 8: defects of a Google Pay token that Google has signed", () => {
  const point = Buffer.from(
    google.seal("x", NOW).match(/ephemeralPublicKey\\":\\"([^\\]+)/)?.[1] ?? "",
    "base64",
  );
  const offCurve = Buffer.from(point);
  offCurve[64] = (offCurve[64] ?? 0) ^ 1;
  const infinity = Buffer.concat([Buffer.from([4]), Buffer.alloc(64)]);
  const twice = (name: string) => (text: string) => text.replace(/^\{/, `{"${name}":"x",`);
  const cases: readonly (readonly [string, () => unknown, string])[] = [
    [
      "another merchant of the gateway",
      () => seal({ ...MESSAGE, gatewayMerchantId: "mer_2" }),
      "other_recipient",
    ],
    ["no merchant", () => seal({ ...MESSAGE, gatewayMerchantId: undefined }), "unreadable"],
    ["another gateway", () => seal(MESSAGE, { recipientId: "gateway:other" }), "signature_invalid"],
    [
      "a merchant instead of a gateway",
      () => seal(MESSAGE, { recipientId: "merchant:test" }),
      "signature_invalid",
    ],
    ["another sender", () => seal(MESSAGE, { sender: "google" }), "signature_invalid"],
    ["another root", () => seal(MESSAGE, { rootKey: otherKey() }), "signature_invalid"],
    ["another signing key", () => seal(MESSAGE, { signWith: otherKey() }), "signature_invalid"],
    ["the older version", () => seal(MESSAGE, { version: "ECv1" }), "unreadable"],
    ["the version that only signs", () => seal(MESSAGE, { version: "ECv2SigningOnly" }), "unreadable"],
    ["an intermediate key at its end", () => seal(MESSAGE, { keyExpiration: String(NOW) }), "expired"],
    ["an expiry that is a number", () => seal(MESSAGE, { keyExpiration: NOW + 1e6 }), "unreadable"],
    ["an expiry that is no number", () => seal(MESSAGE, { keyExpiration: "1e99" }), "unreadable"],
    ["a message at its end", () => seal({ ...MESSAGE, messageExpiration: String(NOW) }), "expired"],
    ["a message without an end", () => seal({ ...MESSAGE, messageExpiration: undefined }), "unreadable"],
    ["another key of ours", () => seal(MESSAGE, { encryptFor: point }), "other_recipient"],
    ["another tag", () => seal(MESSAGE, { macKey: Buffer.alloc(32) }), "other_recipient"],
    ["a point that is not on the curve", () => seal(MESSAGE, { point: offCurve }), "unreadable"],
    ["a point that is none", () => seal(MESSAGE, { point: infinity }), "unreadable"],
    [
      "a point in short form",
      () => seal(MESSAGE, { point: Buffer.concat([Buffer.from([2]), point.subarray(1, 33)]) }),
      "unreadable",
    ],
    ["another point of the curve", () => seal(MESSAGE, { point }), "other_recipient"],
    ["a name twice in the key", () => seal(MESSAGE, { signedKey: twice("keyValue") }), "unreadable"],
    ["a name twice in the message", () => seal(MESSAGE, { signedMessage: twice("tag") }), "unreadable"],
    [
      "a name twice inside",
      () => seal(JSON.stringify(MESSAGE).replace("{", `{"gatewayMerchantId":"mer_2",`)),
      "unreadable",
    ],
    ["a name twice outside", () => seal().replace("{", `{"protocolVersion":"ECv2",`), "unreadable"],
    ["text that is no JSON", () => seal("plaintext"), "unreadable"],
    ["a list", () => seal([MESSAGE]), "unreadable"],
    ["another kind of payment", () => seal({ ...MESSAGE, paymentMethod: "TOKENIZED_CARD" }), "card_unusable"],
    ["another kind of proof", () => sealDetails({ authMethod: "NONE" }), "card_unusable"],
    ["no cryptogram", () => sealDetails({ cryptogram: undefined }), "unreadable"],
    ["a cryptogram that is none", () => sealDetails({ cryptogram: "short" }), "card_unusable"],
    ["an indicator that is none", () => sealDetails({ eciIndicator: "x" }), "card_unusable"],
    ["a number that fails its check", () => sealDetails({ pan: "4111111111111112" }), "card_unusable"],
    ["a number that is one", () => sealDetails({ pan: 4_111_111_111_111_111 }), "unreadable"],
    ["a card that was over last month", () => sealDetails({ expirationMonth: 10 }), "card_unusable"],
    ["a month that is none", () => sealDetails({ expirationMonth: 13 }), "card_unusable"],
    ["a month in text", () => sealDetails({ expirationMonth: "11" }), "card_unusable"],
    ["no text at all", () => ({ protocolVersion: "ECv2" }), "unreadable"],
    ["nothing", () => undefined, "unreadable"],
    ["a very long text", () => `${seal()}${" ".repeat(70_000)}`, "unreadable"],
  ];
  for (const [what, token, problem] of cases) {
    test(`${what}: ${problem}`, () => assert.equal(problemOf(token()), problem));
  }
});

describe("contract 8: tampered Google Pay tokens", () => {
  test(`of ${TAMPERED} all are refused, and none causes another error (seed ${SEED})`, () => {
    const dice = diceOf(SEED);
    const [one, other] = [seal(), seal()];
    const kinds = [changedField, flippedBit, swappedPart, brokenText];
    let made = 0;
    while (made < TAMPERED) {
      const kind = kinds[made % kinds.length] as (typeof kinds)[number];
      const token = kind(dice, one, other);
      // A change without effect is not tampering.
      if (same(token, one) || same(token, other)) continue;
      made += 1;
      assert.notEqual(problemOf(token), "accepted", `${kind.name}: ${token}`);
    }
    assert.equal(problemOf(one), "accepted");
  });
});

function same(token: string, whole: string): boolean {
  try {
    assert.deepEqual(JSON.parse(token), JSON.parse(whole));
    return true;
  } catch {
    return false;
  }
}

/** Changes one place of the outer object, or of the signed texts inside. */
function changedField(dice: Dice, one: string): string {
  const token = JSON.parse(one);
  const inside = dice.below(3);
  if (inside === 0) return JSON.stringify(changeSomething(dice, token));
  if (inside === 1)
    token.signedMessage = JSON.stringify(changeSomething(dice, JSON.parse(token.signedMessage)));
  else {
    const key = token.intermediateSigningKey;
    key.signedKey = JSON.stringify(changeSomething(dice, JSON.parse(key.signedKey)));
  }
  return JSON.stringify(token);
}

/** Flips one bit of a signature, a key or a ciphertext. */
function flippedBit(dice: Dice, one: string): string {
  const token = JSON.parse(one);
  const key = token.intermediateSigningKey;
  const message = JSON.parse(token.signedMessage);
  const kinds = ["signature", "signatures", "tag", "ephemeralPublicKey", "encryptedMessage"] as const;
  const place = kinds[dice.below(kinds.length)] ?? "tag";
  if (place === "signature") token.signature = flipBit(dice, token.signature);
  else if (place === "signatures") key.signatures[0] = flipBit(dice, key.signatures[0]);
  else token.signedMessage = JSON.stringify({ ...message, [place]: flipBit(dice, message[place]) });
  return JSON.stringify(token);
}

/** Puts in a part of another valid token. */
function swappedPart(dice: Dice, one: string, other: string): string {
  const [token, given] = [JSON.parse(one), JSON.parse(other)];
  const message = JSON.parse(token.signedMessage);
  const parts = ["signature", "signedMessage", ...placesOf(message)];
  const part = parts[dice.below(parts.length)] ?? "signature";
  if (part in message) {
    token.signedMessage = JSON.stringify({ ...message, [part]: JSON.parse(given.signedMessage)[part] });
  } else token[part] = given[part];
  return JSON.stringify(token);
}

/** Changes, removes or adds characters. */
function brokenText(dice: Dice, one: string): string {
  const at = dice.below(one.length);
  const length = 1 + dice.below(4);
  const filling = ["", "A", "0", '"', "{", "\\", "\u0000"][dice.below(7)] ?? "";
  return one.slice(0, at) + filling + one.slice(at + (dice.below(2) === 0 ? length : 0));
}
