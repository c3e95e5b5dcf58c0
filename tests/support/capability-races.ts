import assert from "node:assert/strict";
import { changeAccountAsOperator, type Merchant } from "../../src/features/merchants/index.ts";
import { assertRefused, type Expected } from "./answers.ts";
import type { Answer } from "./calls.ts";
import { callApi, getRequest, ok, type Shop } from "./checkout.ts";
import { publishedStatuses, storedAccount, whenStatus } from "./debits.ts";
import { eventually } from "./eventually.ts";
import { inContext } from "./operator.ts";
import { payIds } from "./payid-races.ts";
import { accepted, type Field, ownMerchant, post, type Race } from "./race.ts";
import { bankEntries } from "./sandbox-ledger.ts";
import { chargeOf } from "./stored-cards.ts";

const AMOUNT = 3_000;
/** A node learns of a change of an account within this time: tests/spec/accounts/keys.test.ts. */
const APPLIES_WITHIN_MS = 5_000;
/** The other node learns of it after some hundred milliseconds; so that each side wins some. */
const LAG_MS = 1_000;

type Own = Awaited<ReturnType<typeof ownMerchant>>;

type Capable = {
  readonly name: string;
  readonly capability: "payId" | "directDebit";
  readonly refusal: Expected;
  readonly table: "payment_requests" | "transactions";
  /** Switches it on or off. */
  readonly change: (field: Field, own: Own) => (shop: Shop, on: boolean) => Promise<unknown>;
  readonly create: (field: Field, own: Own) => Promise<(shop: Shop) => Promise<Answer>>;
  /** What was accepted is paid, whatever the account may do later. */
  readonly assertPaid: (field: Field, own: Own, made: Answer) => Promise<void>;
};

/** What needs a capability is accepted or refused, and after the change refused at every node. */
function whileSwitchedOff({ name, capability, refusal, table, ...parts }: Capable): Race {
  return {
    name,
    lagMs: LAG_MS,
    outcomes: ["created first", "switched off first"],
    prepare: async (field) => {
      const own = await ownMerchant(field);
      const create = await parts.create(field, own);
      const change = parts.change(field, own);
      const answers: Answer[] = [];
      const creates = async (shop: Shop) => {
        const answer = await create(shop);
        answers.push(answer);
        return answer;
      };
      let switchedAt = 0;
      return {
        verbs: [
          own.of(async (shop) => {
            // A 403 is one of the two answers here, and of no other race.
            await creates(shop);
          }),
          own.of(async (shop) => {
            await change(shop, false);
            if (switchedAt === 0) switchedAt = Date.now();
          }),
        ],
        check: async () => {
          const isSwitchedFirst = accepted(answers).length === 0;
          for (const shop of [own.near, own.far])
            await eventually(`${capability} is off`, async () => {
              const sentAt = Date.now();
              const { status } = await creates(shop);
              if (status === 200)
                assert.ok(
                  sentAt - switchedAt < APPLIES_WITHIN_MS,
                  `accepted ${sentAt - switchedAt} ms after it`,
                );
              return status !== 200;
            });
          for (const shop of [own.far, own.near]) await creates(shop);
          assert.deepEqual(
            answers.slice(-2).map(({ status }) => status),
            [403, 403],
            "it was off, and is on again",
          );
          for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 403, refusal);
          const rows = await field.database.rows<{ id: string }>(
            `select id from ${table} where merchant_id = $1 order by id`,
            [own.id],
          );
          assert.deepEqual(
            rows.map(({ id }) => id),
            accepted(answers)
              .map(({ body }): string => body.id)
              .toSorted(),
            "what is refused makes nothing, what is accepted is there",
          );
          await Promise.all(accepted(answers).map((made) => parts.assertPaid(field, own, made)));
          const { capabilities } = ok(await callApi(own.far, "GET", "/management/account"));
          const off = Object.keys(capabilities).filter((one) => !capabilities[one]);
          assert.deepEqual(off, [capability]);
          await change(own.near, true);
          await eventually(
            `${capability} is on`,
            async () => (await create(own.far)).status === 200,
            APPLIES_WITHIN_MS,
          );
          return isSwitchedFirst ? "switched off first" : "created first";
        },
      };
    },
  };
}

export const CAPABILITY_RACES: readonly Race[] = [
  whileSwitchedOff({
    name: "switch PayID off, create a PayID request",
    capability: "payId",
    refusal: ["V11182", "/payment/instrument/payId"],
    table: "payment_requests",
    // As a sandbox merchant does it.
    change: () => async (shop, payId) =>
      ok(await callApi(shop, "PUT", "/management/account", { capabilities: { payId } })),
    create: async ({ name }) => {
      let made = 0;
      return (shop) => {
        made += 1;
        const value = `off-${process.pid}-${name}-${made}`;
        const payment = { amount: AMOUNT, instrument: { payId: { type: "single", value } } };
        return post("/paymentrequests", { payment })(shop);
      };
    },
    assertPaid: async ({ database }, { far }, { body }) => {
      assert.equal((await payIds(far).pay(body.payment.instrument.payId.email, AMOUNT)).status, "accepted");
      const { paymentRequestStatus, transactionResult } = await getRequest(far, body.id);
      assert.equal(paymentRequestStatus, "completed");
      const moved = await database.rows(
        `select l.amount::int from incoming_transfers i join sandbox_ledger l on l.ledger = 'payid' and l.kind = 'transfer'
           and l.reference = i.message where i.transaction_id = $1`,
        [transactionResult.id],
      );
      assert.deepEqual(moved, [{ amount: AMOUNT }]);
    },
  }),
  whileSwitchedOff({
    name: "switch direct debit off, debit",
    capability: "directDebit",
    refusal: "V11743",
    table: "transactions",
    // As `merchant change` does it.
    change:
      ({ database }, { id }) =>
      (_, directDebit) =>
        inContext(database, (ctx) =>
          changeAccountAsOperator(ctx, id as Merchant["id"], { capabilities: { directDebit } }),
        ),
    create: async (_, { near }) =>
      post("/transactions", chargeOf(await storedAccount(near), { amount: AMOUNT })),
    assertPaid: async ({ database }, { far }, { body }) => {
      const { payment } = await whenStatus(far, body.id, "approved");
      assert.equal(payment.capturedAmount, AMOUNT);
      assert.deepEqual(await bankEntries(database, body.id), ["debit", "settlement"]);
      assert.deepEqual(await publishedStatuses(far, body.id), ["pending", "approved"]);
    },
  }),
];
