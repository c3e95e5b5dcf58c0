import { randomBytes, randomUUID } from "node:crypto";
import { type FakeAnswer, type Json, newPsp, rejected } from "./fake-adyen-answers.ts";

/** Amounts that choose what the issuer does; every other one is authenticated without a question. */
export const FAKE_3DS_AMOUNTS = {
  fails: 14_417,
  challenges: 14_418,
  method: 14_421,
  attempted: 14_426,
  unavailable: 14_427,
  rejected: 14_428,
  unreadable: 14_429,
} as const;

type Letter = "Y" | "A" | "N" | "U" | "R";

type Authentication = {
  readonly number: string;
  readonly serverId: string;
  readonly acsId: string;
  readonly amount: number;
  /** What the issuer has reported after a challenge. */
  reported?: "Y" | "N";
};

export type FakeThreeDSecure = {
  readonly begin: (body: Json) => FakeAnswer;
  readonly details: (body: Json) => FakeAnswer;
  /** The payer answers on the page of the issuer. Returns the `cres` that the browser passes on. */
  readonly answer: (acsTransID: string, passed: boolean) => string;
};

/** Adyen's native 3D Secure: authentication only, by a token of its own. */
export function createFakeThreeDSecure(): FakeThreeDSecure {
  const byToken = new Map<string, Authentication>();

  const action = (subtype: "fingerprint" | "challenge", known: Authentication) => {
    const token = `Ab02b4c0!${newPsp()}`;
    byToken.set(token, known);
    const ids = { threeDSServerTransID: known.serverId, acsTransID: known.acsId, messageVersion: "2.2.0" };
    const urls = { threeDSMethodURL: "https://acs.example/method", acsURL: "https://acs.example/challenge" };
    const text = Buffer.from(JSON.stringify({ ...ids, ...urls })).toString("base64");
    return {
      resultCode: subtype === "challenge" ? "ChallengeShopper" : "IdentifyShopper",
      action: {
        type: "threeDS2",
        subtype,
        token: text,
        authorisationToken: token,
        paymentData: "Ab02b4c0!paymentData",
        paymentMethodType: "scheme",
      },
    };
  };

  const finished = (transStatus: Letter, { number }: Pick<Authentication, "number">): Json => ({
    resultCode: "AuthenticationFinished",
    pspReference: newPsp(),
    threeDS2Result: {
      transStatus,
      dsTransID: randomUUID(),
      messageVersion: "2.2.0",
      eci: eciOf(transStatus, number),
      ...(transStatus === "Y" || transStatus === "A"
        ? { authenticationValue: randomBytes(20).toString("base64") }
        : {}),
    },
  });

  const refused = {
    resultCode: "Refused",
    refusalReason: "RReq not received from DS",
    refusalReasonCode: "39",
  };

  return {
    begin: (body) => {
      const { value: amount } = body["amount"] as { value: number };
      const { number } = body["paymentMethod"] as { number: string };
      const known: Authentication = { serverId: randomUUID(), acsId: randomUUID(), amount, number };
      const answers: Readonly<Record<number, Json>> = {
        [FAKE_3DS_AMOUNTS.fails]: finished("N", known),
        [FAKE_3DS_AMOUNTS.attempted]: finished("A", known),
        [FAKE_3DS_AMOUNTS.unavailable]: finished("U", known),
        [FAKE_3DS_AMOUNTS.rejected]: finished("R", known),
        [FAKE_3DS_AMOUNTS.challenges]: action("challenge", known),
        [FAKE_3DS_AMOUNTS.method]: action("fingerprint", known),
        [FAKE_3DS_AMOUNTS.unreadable]: { resultCode: "AuthenticationNotRequired" },
      };
      return { status: 200, body: answers[amount] ?? finished("Y", known) };
    },
    details: (body) => {
      const { threeDSResult = "" } = body["details"] as { threeDSResult?: string };
      const result = JSON.parse(Buffer.from(threeDSResult, "base64").toString()) as Record<string, string>;
      const known = byToken.get(result["authorisationToken"] ?? "");
      if (known === undefined) return rejected(422, "702", "Invalid authorisationToken");
      if (known.amount === FAKE_3DS_AMOUNTS.method) return { status: 200, body: finished("Y", known) };
      return { status: 200, body: known.reported === undefined ? refused : finished(known.reported, known) };
    },
    answer: (acsTransID, passed) => {
      const known = [...byToken.values()].find(({ acsId }) => acsId === acsTransID);
      if (known === undefined) throw new Error("no such challenge");
      known.reported ??= passed ? "Y" : "N";
      const cres = { messageType: "CRes", acsTransID, transStatus: known.reported };
      return Buffer.from(JSON.stringify(cres)).toString("base64url");
    },
  };
}

/** The schemes' indicators: Mastercard has others than Visa and the rest. */
function eciOf(letter: Letter, number: string): string {
  const [proof, attempt, none] = number.startsWith("5") ? ["02", "01", "00"] : ["05", "06", "07"];
  return (letter === "Y" ? proof : letter === "A" ? attempt : none) ?? "";
}
