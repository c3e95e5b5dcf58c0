import { randomUUID } from "node:crypto";
import { type FakeAnswer, type Json, newPsp, rejected } from "./fake-adyen-answers.ts";

/** Amounts that choose what the issuer does; every other one is authenticated without a question. */
export const FAKE_3DS_AMOUNTS = {
  fails: 14_417,
  challenges: 14_418,
  method: 14_421,
  unreadable: 14_429,
} as const;

type Authentication = {
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

  const finished = (transStatus: "Y" | "N"): Json => ({
    resultCode: "AuthenticationFinished",
    pspReference: newPsp(),
    threeDS2Result: {
      transStatus,
      dsTransID: randomUUID(),
      messageVersion: "2.2.0",
      ...(transStatus === "Y" ? { eci: "05", authenticationValue: "AAABCSIIAAAAAAACcwgAEMCoNh8=" } : {}),
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
      const known: Authentication = { serverId: randomUUID(), acsId: randomUUID(), amount };
      const answers: Readonly<Record<number, Json>> = {
        [FAKE_3DS_AMOUNTS.fails]: finished("N"),
        [FAKE_3DS_AMOUNTS.challenges]: action("challenge", known),
        [FAKE_3DS_AMOUNTS.method]: action("fingerprint", known),
        [FAKE_3DS_AMOUNTS.unreadable]: { resultCode: "AuthenticationNotRequired" },
      };
      return { status: 200, body: answers[amount] ?? finished("Y") };
    },
    details: (body) => {
      const { threeDSResult = "" } = body["details"] as { threeDSResult?: string };
      const result = JSON.parse(Buffer.from(threeDSResult, "base64").toString()) as Record<string, string>;
      const known = byToken.get(result["authorisationToken"] ?? "");
      if (known === undefined) return rejected(422, "702", "Invalid authorisationToken");
      if (known.amount === FAKE_3DS_AMOUNTS.method) return { status: 200, body: finished("Y") };
      return { status: 200, body: known.reported === undefined ? refused : finished(known.reported) };
    },
    answer: (acsTransID, passed) => {
      const known = [...byToken.values()].find(({ acsId }) => acsId === acsTransID);
      if (known === undefined) throw new Error("no such challenge");
      known.reported = passed ? "Y" : "N";
      const cres = { messageType: "CRes", acsTransID, transStatus: known.reported };
      return Buffer.from(JSON.stringify(cres)).toString("base64url");
    },
  };
}
