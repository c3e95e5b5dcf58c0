import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type {
  AuthenticationData,
  AuthenticationRequest,
  Handover,
  ThreeDSecure,
} from "../../src/connectors/ports/three-d-secure.ts";
import { defined } from "../../src/kernel/defined.ts";
import { cents } from "../../src/kernel/money.ts";

type Letter = AuthenticationData["status"];

/** A 3D Secure connector with the values of its test environment that the tests need. */
export type AuthenticatorUnderTest = {
  readonly threeDSecure: ThreeDSecure;
  /** The amount that gets each answer, a challenge, or the method step and then Y. */
  readonly amounts: Readonly<Record<Letter | "challenge" | "method", number>>;
  /** The payer completes the challenge on the issuer's page. Returns the `cres` that the browser passes on, if there is one. */
  readonly answer: (handover: Handover, passed: boolean) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
};

const BROWSER = {
  acceptHeader: "text/html",
  userAgent: "Mozilla/5.0",
  language: "en-AU",
  ipAddress: "192.0.2.1",
  javaScriptEnabled: true,
  javaEnabled: false,
  colourDepth: 24,
  screenWidth: 1280,
  screenHeight: 800,
  timeZoneOffset: -600,
} as const;

const SIGNAL = new AbortController().signal;

/** The indicators of schemes such as Visa, and of Mastercard. */
const ECI = { Y: ["05", "02"], A: ["06", "01"], U: ["07", "00"], N: ["07", "00"], R: ["07", "00"] } as const;

/** The contract of every 3D Secure connector. */
export function testThreeDSecure(name: string, open: () => Promise<AuthenticatorUnderTest>): void {
  describe(`3D Secure contract: ${name}`, () => {
    let subject: AuthenticatorUnderTest;
    let count = 0;
    before(async () => {
      subject = await open();
    });
    after(() => subject.close());

    const newRequest = (
      amount: number,
      { number = "4111111111111111", ...changes }: Partial<AuthenticationRequest> & { number?: string } = {},
    ): AuthenticationRequest => {
      count += 1;
      return {
        reference: `txn_${Date.now()}_${count}`,
        amount: cents(amount),
        surcharge: cents(0),
        currency: "AUD",
        card: { number, expiryMonth: 12, expiryYear: 2030 },
        browser: BROWSER,
        methodNotificationUrl: "https://pay.example/checkout/3ds/method",
        challengeNotificationUrl: "https://pay.example/checkout/3ds/challenge",
        challengeIn: "frame",
        ...changes,
      };
    };

    async function begin(request: AuthenticationRequest): Promise<AuthenticationData> {
      const begun = await subject.threeDSecure.begin(request, SIGNAL);
      return begun.kind === "done" ? begun.data : assert.fail(`a ${begun.kind} instead of an answer`);
    }

    async function challenged(changes: Partial<AuthenticationRequest> = {}) {
      const request = newRequest(subject.amounts.challenge, changes);
      const begun = await subject.threeDSecure.begin(request, SIGNAL);
      return begun.kind === "challenge"
        ? { request, handover: begun.handover, state: begun.state }
        : assert.fail(`${begun.kind} instead of a challenge`);
    }

    function assertReachable({ url }: Handover) {
      assert.match(url, /^(\/\w|https:\/\/)/);
    }

    for (const letter of ["Y", "A", "N", "U", "R"] as const) {
      test(`answer ${letter} has the scheme's indicator, and a cryptogram only where there is proof`, async () => {
        for (const [place, number] of ["4111111111111111", "5555555555554444"].entries()) {
          const data = await begin(newRequest(subject.amounts[letter], { number }));
          assert.equal(data.status, letter);
          assert.equal(data.eci, ECI[letter][place]);
          assert.match(data.version ?? "", /^2\.\d\.\d$/);
          assert.match(data.dsTransactionId ?? "", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
          if (letter === "Y" || letter === "A") {
            assert.equal(Buffer.from(data.cavv ?? "", "base64").length, 20);
          } else assert.equal(data.cavv, undefined);
        }
      });
    }

    test("each payment has a cryptogram and a DS transaction id of its own; a repeated call gets the same", async () => {
      const [one, other] = [newRequest(subject.amounts.Y), newRequest(subject.amounts.Y)];
      const [first, second] = [await begin(one), await begin(other)];
      assert.notEqual(first.cavv, second.cavv);
      assert.notEqual(first.dsTransactionId, second.dsTransactionId);
      assert.deepEqual(await begin(one), first);
    });

    test("the method step posts the issuer our URL; afterwards the issuer answers, however it ended", async () => {
      const { threeDSecure, amounts } = subject;
      for (const completion of ["Y", "N"] as const) {
        const request = newRequest(amounts.method);
        const begun = await threeDSecure.begin(request, SIGNAL);
        if (begun.kind !== "method") assert.fail(begun.kind);
        assertReachable(begun.handover);
        const data = begun.handover.fields?.["threeDSMethodData"] ?? "";
        assert.match(data, /^[\w-]+$/);
        const message = JSON.parse(Buffer.from(data, "base64url").toString());
        assert.equal(message.threeDSMethodNotificationURL, request.methodNotificationUrl);
        const method = { completion, ...(begun.state === undefined ? {} : { state: begun.state }) };
        const step = await threeDSecure.authenticate(request, method, SIGNAL);
        assert.equal(step.kind === "done" && step.data.status, "Y");
        assert.deepEqual(await threeDSecure.authenticate(request, method, SIGNAL), step, "a repeated call");
      }
    });

    test("without our URL for it there is no method step", async () => {
      const { methodNotificationUrl: _, ...request } = newRequest(subject.amounts.method);
      assert.equal((await begin(request)).status, "Y");
    });

    test("the challenge in a frame is a form post with a creq for this challenge", async () => {
      const { handover } = await challenged();
      assertReachable(handover);
      const creq = JSON.parse(Buffer.from(handover.fields?.["creq"] ?? "", "base64url").toString());
      assert.equal(creq.messageType, "CReq");
      assert.ok(creq.acsTransID && creq.threeDSServerTransID && creq.messageVersion);
    });

    test("the challenge's URL and fields reveal neither payment nor card and cannot be guessed", async () => {
      const [one, other] = [await challenged(), await challenged()];
      assert.notDeepEqual(one.handover, other.handover);
      for (const { handover, request } of [one, other]) {
        const creq = Buffer.from(handover.fields?.["creq"] ?? "", "base64url").toString();
        for (const text of [handover.url, creq]) {
          assert.ok(!text.includes(request.reference) && !text.includes(request.card.number.slice(-4)));
        }
      }
    });

    test("beginning again returns the same challenge", async () => {
      const { request, handover } = await challenged();
      const again = await subject.threeDSecure.begin(request, SIGNAL);
      assert.deepEqual(again.kind === "challenge" && again.handover, handover);
    });

    test("the result stays open until the payer answers, however often it is read and whatever a browser says", async () => {
      const { request } = await challenged();
      const cres = Buffer.from(JSON.stringify({ messageType: "CRes", transStatus: "Y" })).toString(
        "base64url",
      );
      for (const challenge of [{}, { cres }, { cres: "x" }]) {
        assert.equal(await subject.threeDSecure.resultOf(request.reference, challenge, SIGNAL), "open");
      }
      assert.equal(await subject.threeDSecure.resultOf("txn_unknown", {}, SIGNAL), "open");
    });

    for (const [passed, letter] of [[true, "Y"] as const, [false, "N"] as const]) {
      test(`the payer's first answer (passed: ${passed}) is the final result`, async () => {
        type Challenge = Parameters<ThreeDSecure["resultOf"]>[1];
        const resultOf = async (reference: string, challenge: Challenge) => {
          const data = await subject.threeDSecure.resultOf(reference, challenge, SIGNAL);
          return data === "open" ? data : data.status;
        };
        for (const challengeIn of ["frame", "window"] as const) {
          const { request, handover, state } = await challenged({ challengeIn });
          const other = await challenged();
          for (const answer of [passed, !passed]) {
            const cres = await subject.answer(handover, answer);
            assert.equal(await resultOf(request.reference, defined({ cres, state })), letter);
          }
          assert.equal(await resultOf(other.request.reference, defined({ state: other.state })), "open");
        }
      });
    }
  });
}
