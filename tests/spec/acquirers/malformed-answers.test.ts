import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CardAcquirer } from "../../../src/connectors/ports/card-acquirer.ts";
import type { ThreeDSecure } from "../../../src/connectors/ports/three-d-secure.ts";
import type { Context } from "../../../src/platform/context.ts";
import {
  callApi,
  getTransaction,
  ok,
  openFrame,
  payOnce,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { withAcquirer } from "../../support/fake-acquirer.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";

const MANUAL = { category: { captureType: "manual" } } as const;
const SECURE = { category: { authenticationType: "3d_secure" } } as const;

/** What a connector of an operator's own may return by mistake. */
const MALFORMED: readonly (readonly [what: string, answer: unknown])[] = [
  ["nothing", undefined],
  ["null", null],
  ["a text", "approved"],
  ["an empty object", {}],
  ["a kind that does not exist", { kind: "aproved", code: "approved" }],
  ["an approval without its code", { kind: "approved" }],
  ["an approval with a decline's code", { kind: "approved", code: "error" }],
  ["a decline with a code of its own", { kind: "declined", code: "05" }],
  ["an amount that is a text", { kind: "approved", code: "approved", approvedAmount: "3000" }],
  ["a negative amount", { kind: "approved", code: "approved", approvedAmount: -1 }],
  ["facts that are numbers", { kind: "approved", code: "approved", facts: { authorisationCode: 12 } }],
  ["an advice of its own", { kind: "declined", code: "error", advice: "maybe" }],
];

describe("contract 3, 5: a connector's answer that is not of the declared shape is an unknown outcome", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let change: (host: CardAcquirer) => Partial<CardAcquirer> = () => ({});
  let authenticator: (real: ThreeDSecure) => ThreeDSecure = (real) => real;
  before(async () => {
    const wrapContext = (ctx: Context) => {
      const connectors: Context["connectors"] = {
        ...ctx.connectors,
        getThreeDSecure: (merchant) => authenticator(ctx.connectors.getThreeDSecure(merchant)),
      };
      return { ...withAcquirer(ctx, (host) => change(host)), connectors };
    };
    gateway = await startTestGateway({ wrapContext });
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  const dueNow = (...kinds: readonly string[]) =>
    gateway.database.rows("update jobs set due_at = now() where kind = any($1)", [kinds]);

  /** The host does its work, and its connector garbles the first answers. */
  function garble<Verb extends "authorise" | "verify" | "capture" | "void" | "refund" | "reverse">(
    verb: Verb,
    answer: unknown,
    times = 1,
  ): void {
    let left = times;
    change = (host) => ({
      [verb]: async (...input: Parameters<CardAcquirer[Verb]>) => {
        const real = await (host[verb] as (...input: unknown[]) => Promise<unknown>)(...input);
        left -= 1;
        return left >= 0 ? answer : real;
      },
    });
  }

  const statusOf = async (id: string): Promise<string> => (await getTransaction(shop, id)).result.status;
  const becomes = (id: string, status: string) =>
    eventually(`the payment is ${status}`, async () => (await statusOf(id)) === status);

  for (const [what, answer] of MALFORMED) {
    test(`${what}: a payment is pending, then approved by inquiry`, async () => {
      garble("authorise", answer);
      const { paid, transactionId } = await payOnce(shop);
      assert.equal(paid.state, "pending");
      change = () => ({});
      await becomes(transactionId, "approved");
    });

    for (const [verb, path, status] of [
      ["capture", "capture", "captured"],
      ["void", "cancel", "voided"],
    ] as const) {
      test(`${what}: a ${verb} answers pending and is finished by its job`, async () => {
        const { transactionId: id } = await payOnce(shop, MANUAL);
        garble(verb, answer);
        const answered = ok(await callApi(shop, "POST", `/transactions/${id}/${path}`));
        assert.deepEqual(answered.result, { mode: "sandbox", status: "pending" });
        await dueNow("transaction_operation");
        const isDone = async () => (await getTransaction(shop, id)).captureStatus === status;
        await eventually(`it is ${status}`, isDone);
      });
    }

    test(`${what}: a refund stays pending and is made once`, async () => {
      const { transactionId: id } = await payOnce(shop);
      garble("refund", answer);
      const refund = ok(await callApi(shop, "POST", `/transactions/${id}/refunds`, {}));
      assert.equal(refund.result.status, "pending");
      const isDone = async () => {
        ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
        return (await getTransaction(shop, id)).payment.refundedAmount === 3000;
      };
      await eventually("it is refunded", isDone);
    });
  }

  for (const answer of [undefined, { kind: "aproved", code: "approved" }]) {
    test(`${JSON.stringify(answer)}: an inquiry is asked again`, async () => {
      let left = 2;
      change = ({ inquire }) => ({
        authorise: async () => ({ kind: "unknown" }),
        inquire: async (reference, signal) => {
          left -= 1;
          return left >= 0
            ? (answer as never)
            : ((await inquire?.(reference, signal)) ?? { kind: "unknown" });
        },
      });
      const { transactionId } = await payOnce(shop);
      const isAsked = async () => {
        await dueNow("checkout_recover");
        return left < 0;
      };
      await eventually("it is asked three times", isAsked);
      await becomes(transactionId, "declined");
      change = () => ({});
    });

    test(`${JSON.stringify(answer)}: a verification is declined, and its card is not stored`, async () => {
      garble("verify", answer);
      const customerRequest = { paymentInstrument: "create", name: "Jo" };
      const { paid, transactionId } = await payOnce(shop, { amount: 0, customerRequest }, { consent: true });
      assert.equal(paid.state, "pending");
      await becomes(transactionId, "declined");
    });

    test(`${JSON.stringify(answer)}: a reversal is repeated`, async () => {
      // Only a part is approved, so that the gateway reverses it.
      garble("reverse", answer, 2);
      const { transactionId } = await payOnce(shop, { amount: 14_410 });
      assert.equal(await statusOf(transactionId), "pending");
      const isReversed = async () => {
        await gateway.database.rows("update jobs set due_at = now() where subject_id = $1", [transactionId]);
        return (await statusOf(transactionId)) === "declined";
      };
      await eventually("it is reversed", isReversed);
    });
  }

  for (const [verb, answer] of [
    ["begin", undefined],
    ["begin", { kind: "challenge" }],
    ["begin", { kind: "done", data: { status: "yes" } }],
    ["begin", { kind: "method", handover: { url: 7 } }],
  ] as const) {
    test(`3D Secure: ${verb} with ${JSON.stringify(answer)} is unavailable, and nothing is charged`, async () => {
      authenticator = (real) => ({ ...real, [verb]: async () => answer as never });
      const { paid, transactionId } = await payOnce(shop, SECURE);
      authenticator = (real) => real;
      assert.equal(paid.state, "declined");
      const { authentication, result } = await getTransaction(shop, transactionId);
      assert.deepEqual([authentication.status, result.codes[0].id], ["unavailable", "D04417"]);
    });
  }

  test("3D Secure: a result that is none leaves the challenge open", async () => {
    authenticator = (real) => ({ ...real, resultOf: async () => ({ status: "yes" }) as never });
    const frame = await openFrame(shop, { amount: 14_418, ...SECURE });
    const { challenge } = ok(await frame.pay());
    const after = ok(await frame.continue(challenge.sealed));
    authenticator = (real) => real;
    assert.equal(after.state, "challenge");
    assert.equal(ok(await frame.abandon()).result.status, "ok");
  });
});
