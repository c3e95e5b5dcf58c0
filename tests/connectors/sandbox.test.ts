import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type {
  AcquirerAnswer,
  AuthorisationRequest,
  InquiryAnswer,
} from "../../src/connectors/ports/card-acquirer.ts";
import { CARD_SCENARIOS } from "../../src/connectors/sandbox/card-scenarios.ts";
import { createSandboxAcquirer } from "../../src/connectors/sandbox/sandbox-acquirer.ts";
import { createSandboxPayIdRail } from "../../src/connectors/sandbox/sandbox-payid-rail.ts";
import { createSandboxThreeDSecure } from "../../src/connectors/sandbox/sandbox-three-d-secure.ts";
import { cents } from "../../src/kernel/money.ts";
import { randomText } from "../../src/platform/crypto/secrets.ts";
import { testCardAcquirer } from "./card-acquirer-contract.ts";
import { driveAcquirer } from "./drive-acquirer.ts";
import { testPayIdRail } from "./payid-rail-contract.ts";
import { openTestLedger } from "./test-ledger.ts";
import { testThreeDSecure } from "./three-d-secure-contract.ts";

testCardAcquirer("the sandbox", async () => {
  const { ledger, close } = await openTestLedger();
  const approved = (facts: Readonly<Record<string, string>>) => facts["code"]?.startsWith("A") === true;
  return {
    acquirer: createSandboxAcquirer(ledger, async () => {}),
    amounts: { approved: 3000, declined: 14_451, partial: { amount: 14_410, approved: 7_205 } },
    ledgerOf: async (reference) => {
      const authorisation = await ledger.find("authorisation", reference);
      const reversal = await ledger.find("reversal", reference);
      const lines = await ledger.listBelongingTo(reference);
      const sum = (kind: string) =>
        lines
          .filter((line) => line.kind === kind && approved(line.facts))
          .reduce((total, line) => total + line.amount, 0);
      const taken = authorisation !== undefined && approved(authorisation.facts) ? authorisation.amount : 0;
      return {
        held: taken - (reversal?.amount ?? 0),
        captured: sum("capture"),
        refunded: sum("refund"),
      };
    },
    close,
  };
});

testThreeDSecure("the sandbox", async () => {
  const { ledger, close } = await openTestLedger();
  const { connector, challenges } = createSandboxThreeDSecure(ledger, () => randomText(24));
  return {
    threeDSecure: connector,
    amounts: {
      Y: 3000,
      A: 14_426,
      N: 14_417,
      U: 14_427,
      R: 14_428,
      challenge: 14_418,
      method: 14_429,
    },
    answer: async ({ url }, passed) => {
      assert.equal(await challenges.answer(url.split("/").at(-1) ?? "", passed), true);
      return undefined;
    },
    close,
  };
});

testPayIdRail("the sandbox", async () => {
  const { ledger, close } = await openTestLedger();
  const { rail, payers } = createSandboxPayIdRail(ledger, async () => {});
  const sum = (lines: readonly { readonly amount: number }[]) =>
    lines.reduce((total, line) => total + line.amount, 0);
  return {
    rail,
    declined: 11_400,
    pay: async (payId, amount) =>
      (await payers.pay({ message: randomText(24), payId, amount: cents(amount) })).message,
    reachable: async (payId) => {
      const lines = (await ledger.listBelongingTo(payId)).filter(({ kind }) => kind === "registration");
      const released = await Promise.all(lines.map(({ reference }) => ledger.find("release", reference)));
      return released.includes(undefined);
    },
    sentBack: async (transfer) => {
      const lines = await ledger.listBelongingTo(transfer);
      const approved = lines.filter(({ kind, facts }) => kind === "refund" && facts["code"] === "A02000");
      return { returned: sum(lines.filter(({ kind }) => kind === "return")), refunded: sum(approved) };
    },
    close,
  };
});

describe("contract 9: the sandbox pays a PayID request of 12000 automatically", () => {
  let opened: Awaited<ReturnType<typeof openTestLedger>>;
  const planned: string[] = [];
  before(async () => {
    opened = await openTestLedger();
  });
  after(() => opened.close());

  const sandbox = () =>
    createSandboxPayIdRail(opened.ledger, async ({ reference }) => void planned.push(reference));
  const registered = async (reference: string, amount: number) => {
    const registration = {
      reference,
      payId: `${reference}@payid.example`,
      account: "mer_1",
      accountName: "Tea",
      amount: cents(amount),
    };
    assert.equal((await sandbox().rail.register(registration)).kind, "approved");
    return reference;
  };

  test("the payment is planned at registration and made once", async () => {
    const reference = await registered("pr_automatic", 12_000);
    assert.deepEqual(planned, [reference]);
    const paid = await sandbox().payers.payAutomatically(reference);
    assert.equal(paid?.amount, 12_000);
    assert.deepEqual(await sandbox().payers.payAutomatically(reference), paid);
    await sandbox().rail.release(reference);
    assert.deepEqual(
      await sandbox().payers.payAutomatically(reference),
      paid,
      "a release does not undo the payment",
    );
  });

  test("no payment follows for another amount or after a release", async () => {
    await registered("pr_other", 12_001);
    assert.deepEqual(planned, ["pr_automatic"]);
    assert.equal(await sandbox().payers.payAutomatically("pr_other"), undefined);
    await registered("pr_released", 12_000);
    await sandbox().rail.release("pr_released");
    assert.equal(await sandbox().payers.payAutomatically("pr_released"), undefined);
    assert.equal(await sandbox().payers.payAutomatically("pr_never"), undefined);
  });
});

describe("contract 9: the scenarios of the sandbox acquirer", () => {
  let opened: Awaited<ReturnType<typeof openTestLedger>>;
  const waits: number[] = [];
  let count = 0;
  before(async () => {
    opened = await openTestLedger();
  });
  after(() => opened.close());

  const acquirer = () =>
    driveAcquirer(createSandboxAcquirer(opened.ledger, async (seconds) => void waits.push(seconds)));
  const plain = async (answer: Promise<AcquirerAnswer | InquiryAnswer>) => {
    const { facts: _, ...rest } = { facts: undefined, ...(await answer) };
    return rest;
  };
  const newRequest = (amount: number, paymentRequestId: string | null = null): AuthorisationRequest => {
    count += 1;
    return {
      reference: `txn_${count}`,
      paymentRequestId,
      amount: cents(amount),
      surcharge: cents(0),
      currency: "AUD",
      isCapturedAtOnce: true,
      origin: "internet",
      initiator: "payer",
      card: { number: "4111111111111111", expiryMonth: 12, expiryYear: 2030 },
    };
  };

  test("14419 declines the first attempt on a payment request and approves the next, repeatably", async () => {
    const [first, second, other] = [
      newRequest(14_419, "pr_1"),
      newRequest(14_419, "pr_1"),
      newRequest(14_419, "pr_2"),
    ];
    const declined = { kind: "declined", code: "do_not_honour" };
    assert.deepEqual(await plain(acquirer().authorise(first)), declined);
    assert.deepEqual(
      await plain(acquirer().authorise(first)),
      declined,
      "a repeated attempt is not the next attempt",
    );
    assert.deepEqual(await plain(acquirer().authorise(second)), { kind: "approved", code: "approved" });
    assert.deepEqual(
      await plain(acquirer().authorise(other)),
      declined,
      "another payment request starts with a decline",
    );
    assert.deepEqual(
      await plain(acquirer().authorise(newRequest(14_419))),
      declined,
      "a charge without a payment request is declined",
    );
  });

  test("14480 waits eight seconds before it approves", async () => {
    waits.length = 0;
    assert.equal((await acquirer().authorise(newRequest(14_480))).kind, "approved");
    assert.deepEqual(waits, [8]);
  });

  test("14481 approves and drops the connection; an inquiry returns the approval", async () => {
    const request = newRequest(14_481);
    await assert.rejects(acquirer().authorise(request), /connection/);
    assert.deepEqual(await plain(acquirer().inquire(request.reference)), {
      kind: "approved",
      code: "approved",
    });
  });

  test("14482 does not arrive and leaves no record", async () => {
    const request = newRequest(14_482);
    assert.equal((await acquirer().authorise(request)).kind, "not_received");
    assert.deepEqual(await acquirer().inquire(request.reference), { kind: "never_seen" });
  });

  test("a refund's own amount selects its scenario", async () => {
    const paid = newRequest(50_000);
    await acquirer().authorise(paid);
    const refund = (amount: number) =>
      acquirer().refund({ reference: `rfd_${amount}`, transaction: paid.reference, amount: cents(amount) });
    assert.deepEqual(await plain(refund(14_405)), { kind: "declined", code: "do_not_honour" });
    assert.deepEqual(await plain(refund(14_411)), { kind: "approved", code: "approved_vip" });
    assert.deepEqual(await plain(refund(14_419)), { kind: "approved", code: "approved" });
    assert.deepEqual(await plain(refund(11_400)), { kind: "approved", code: "approved" });
  });

  test("a capture's own amount selects a decline, never another approval", async () => {
    const capture = async (amount: number) => {
      const held = { ...newRequest(50_000), isCapturedAtOnce: false };
      await acquirer().authorise(held);
      const { reference: transaction } = held;
      return acquirer().capture({ reference: `mov_${amount}`, transaction, amount: cents(amount) });
    };
    assert.deepEqual(await plain(capture(14_405)), { kind: "declined", code: "do_not_honour" });
    assert.deepEqual(await plain(capture(14_411)), { kind: "approved", code: "approved" });
    assert.deepEqual(await plain(capture(14_419)), { kind: "approved", code: "approved" });
  });

  test("36 amounts are scenarios: 6 approvals, one of them in part, one disputed, 26 declines, 4 failures", () => {
    const kinds = [...CARD_SCENARIOS.values()].map((scenario) => scenario.does);
    const count = (does: string) => kinds.filter((kind) => kind === does).length;
    const counts = [count("approve"), count("approvePart"), count("decline"), kinds.length];
    assert.deepEqual(counts, [4, 1, 26, 36]);
  });
});
