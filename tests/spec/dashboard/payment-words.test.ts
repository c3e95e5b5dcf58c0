import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CardAcquirer } from "../../../src/connectors/ports/card-acquirer.ts";
import { decline } from "../../../src/kernel/codes/outcomes.ts";
import { sql } from "../../../src/platform/db/database.ts";
import {
  advanceClock,
  callApi,
  createRequest,
  getRequest,
  getTransaction,
  ok,
  payOnce,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { signedIn, type Visitor } from "../../support/dashboard.ts";
import { storedAccount, whenStatus } from "../../support/debits.ts";
import { disputeOf, whenDisputeIs } from "../../support/disputes.ts";
import { eventually } from "../../support/eventually.ts";
import { withAcquirer } from "../../support/fake-acquirer.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { inContext } from "../../support/operator.ts";
import { payIdShop } from "../../support/payid.ts";
import { chargeOf } from "../../support/stored-cards.ts";

let gateway: TestGateway;
let shop: Shop;
let staff: Visitor;
let base: string;
let acquirerAnswers: Partial<CardAcquirer> = {};

const DELAY = 5;
const WEEK = 7 * 24 * 60 * 60;
const MANUAL = { category: { captureType: "manual" } };

before(async () => {
  gateway = await startTestGateway({ wrapContext: (ctx) => withAcquirer(ctx, () => acquirerAnswers) });
  const merchant = await gateway.newMerchant();
  shop = shopOf(gateway, merchant.key);
  staff = await signedIn(gateway, { role: "staff", merchantId: merchant.id });
  base = `/dashboard/${merchant.id}`;
});
after(() => gateway.stop());

const shown = async (path: string) => {
  const page = await staff.get(base + path);
  assert.equal(page.status, 200, `${path}: ${page.text}`);
  return page.text;
};
const headOf = (page: string) => /payment-head"[\s\S]*?class="badge[^"]*">([^<]*)</.exec(page)?.[1];
/** The titles of a timeline, newest first, each with its tone. */
const entriesOf = (page: string) =>
  [...page.matchAll(/<li class="tone-(\w+)"[^>]*><div class="entry-head"><h3>([^<]*)</g)].map(
    ([, tone, words]) => [words?.replaceAll("&#39;", "'"), tone],
  );

type Made = { readonly requestId?: string; readonly transactionId?: string };

/** Kinds of payments that need time, another method or a reluctant acquirer, and the word of request and transaction. */
const KINDS: Readonly<
  Record<
    string,
    {
      readonly words: readonly [request: string | undefined, transaction?: string];
      readonly make: () => Promise<Made>;
    }
  >
> = {
  released: {
    words: ["unpaid", "expired"],
    make: async () => {
      const made = await payOnce(shop, { ...MANUAL, reference: "released" });
      await advanceClock(shop, WEEK + 1);
      await eventually("the authorisation has expired", async () => {
        const { captureStatus } = await getTransaction(shop, made.transactionId);
        return captureStatus === "expired";
      });
      return made;
    },
  },
  expired: {
    words: ["expired"],
    make: async () => {
      const { id } = (await createRequest(shop, { reference: "expired" })) as { id: string };
      await advanceClock(shop, WEEK);
      await eventually("the request has expired", async () => {
        const { paymentRequestStatus } = await getRequest(shop, id);
        return paymentRequestStatus === "expired";
      });
      return { requestId: id };
    },
  },
  returned: {
    words: [undefined, "returned"],
    make: async () => {
      const account = await storedAccount(shop);
      const charge = chargeOf(account, { amount: 11_005, reference: "returned" });
      const { id } = ok(await callApi(shop, "POST", "/transactions", charge)) as { id: string };
      for (const status of ["approved", "declined"]) {
        ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
        await whenStatus(shop, id, status);
      }
      return { transactionId: id };
    },
  },
  verified: {
    words: ["verified", "verified"],
    make: () =>
      payOnce(
        shop,
        { amount: 0, reference: "verified", customerRequest: { paymentInstrument: "create" } },
        { consent: true },
      ),
  },
  "partly paid": {
    words: ["partly paid", "partly paid"],
    make: () =>
      payOnce(shop, {
        amount: 14_410,
        reference: "partly paid",
        category: { partialApproval: "accept" },
      }),
  },
};

describe("paid or not paid, also for what takes time", () => {
  for (const [
    kind,
    {
      words: [request, transaction],
      make,
    },
  ] of Object.entries(KINDS))
    test(`${kind}: lists, filters, pages and files agree`, async () => {
      const made = await make();
      for (const [list, word, id] of [
        ["payment-requests", request, made.requestId],
        ["transactions", transaction, made.transactionId],
      ] as const) {
        if (word === undefined) continue;
        assert.equal(headOf(await shown(`/${list}/${id}`)), word, `${list} page`);
        const query = `q=${encodeURIComponent(kind)}&status=${encodeURIComponent(word)}`;
        assert.match(
          await shown(`/${list}?${query}`),
          new RegExp(`>${kind}</a>[\\s\\S]*?class="badge[^"]*">${word}<`),
        );
        const file = await shown(`/${list}.csv?${query}`);
        const [head = "", line = ""] = file.split("\r\n");
        assert.equal(line.split(",")[head.split(",").indexOf("paymentStatus")], word, `${list} file`);
      }
    });

  test("a returned debit ends in red, and its page says what happened", async () => {
    const list = await shown("/transactions?status=returned");
    const { text } = await staff.get(/<a href="([^"]*)">returned<\/a>/.exec(list)?.[1] ?? "");
    assert.match(text, /<p class="outlook">The payer(?:'|&#39;)s bank took the money back: returned\./);
    assert.deepEqual(
      entriesOf(text).find(([words]) => words?.startsWith("Returned")),
      ["Returned by the payer's bank", "bad"],
    );
  });

  test("3D Secure is written as its owner does, in lists, pages and timelines", async () => {
    const { transactionId } = await payOnce(shop, {
      amount: 14_417,
      reference: "not confirmed",
      category: { authenticationType: "3d_secure" },
    });
    const page = await shown(`/transactions/${transactionId}`);
    assert.match(page, /<p class="outlook">Declined: 3D Secure error\./);
    assert.match(page, /3D Secure error \(D04417\)/);
    const list = await shown("/transactions?q=not+confirmed");
    assert.match(list, /3D Secure error/);
    assert.doesNotMatch(page + list, /3d secure|3D secure/);
  });

  test("a refund under way does not count as refunded yet, and its file has the list's word", async () => {
    const { transactionId } = await payOnce(shop, { amount: 3000, reference: "back soon" });
    const refunds = `/transactions/${transactionId}/refunds`;
    ok(await callApi(shop, "POST", refunds, { reference: "back soon", payment: { amount: 1000 } }));
    const before = await shown(`/transactions/${transactionId}`);
    assert.equal(headOf(before), "paid");
    assert.match(
      before,
      /<dt>Being refunded<\/dt><dd>\$10\.00<\/dd>[\s\S]*?<dt>Left to refund<\/dt><dd>\$20\.00/,
    );
    assert.doesNotMatch(before, /<dt>Refunded<\/dt>/);
    assert.match(await shown("/refunds.csv?q=back+soon"), /,paymentStatus[\s\S]*,processing(,|\r)/);
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    await eventually("the refund is approved", async () =>
      /<dt>Refunded<\/dt><dd>\$10\.00/.test(await shown(`/transactions/${transactionId}`)),
    );
    const after = await shown(`/transactions/${transactionId}`);
    assert.equal(headOf(after), "partly refunded");
    assert.doesNotMatch(after, /Being refunded/);
    assert.match(await shown("/refunds.csv?q=back+soon"), /,refunded(,|\r)/);
  });

  test("a declined capture waits for no answer, and can be captured again", async () => {
    const { transactionId } = await payOnce(shop, { ...MANUAL, amount: 3000, reference: "stubborn" });
    acquirerAnswers = { capture: async () => decline("suspected_malfunction") };
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/capture`));
    acquirerAnswers = {};
    const page = await shown(`/transactions/${transactionId}`);
    assert.match(page, /Capture declined: \$30\.00/);
    assert.match(page, /<p class="outlook">Capture in \d+ days at the latest/);
    assert.doesNotMatch(page, /Waiting for the acquirer/);
    assert.match(page, new RegExp(`${transactionId}/capture">Capture \\$30\\.00</a>`));
    assert.deepEqual(
      entriesOf(page).find(([words]) => words?.startsWith("Authorised")),
      ["Authorised, to be captured: $30.00", "none"],
      "reserved money is not green",
    );
    acquirerAnswers = { capture: async () => ({ kind: "unknown" }) };
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/capture`));
    acquirerAnswers = {};
    const waiting = await shown(`/transactions/${transactionId}`);
    assert.match(waiting, /Waiting for the acquirer/, "control: one without an answer");
    assert.doesNotMatch(waiting, /capture">Capture/);
  });

  test("a captured payment shows the reference of its capture, if it has one", async () => {
    const { transactionId } = await payOnce(shop, { ...MANUAL, amount: 3000 });
    const path = `/transactions/${transactionId}`;
    assert.doesNotMatch(await shown(path), /Capture reference/);
    ok(await callApi(shop, "POST", `${path}/capture`, { reference: "shipment-1" }));
    assert.match(await shown(path), /<dt>Capture reference<\/dt><dd>shipment-1<\/dd>/);
  });

  test("the timeline says that a payment was disputed, and how it ended", async () => {
    const dispute = await disputeOf(shop, { reference: "contested" }, DELAY);
    const path = `/transactions/${dispute.transactionId}`;
    const open = await shown(path);
    assert.equal(headOf(open), "disputed");
    assert.deepEqual(
      entriesOf(open).filter(([words]) => /disput/i.test(words ?? "")),
      [
        ["Dispute booked: $144.90", "none"],
        ["Payment disputed: $144.90", "bad"],
      ],
    );
    ok(await callApi(shop, "POST", `/disputes/${dispute.id}/accept`));
    await whenDisputeIs(shop, dispute.id, "accepted");
    assert.deepEqual(entriesOf(await shown(path))[0], ["Dispute accepted: $144.90", "none"]);
  });

  test("a cancelled authorisation never reads as an approval, though its older events are gone", async () => {
    const { transactionId } = await payOnce(shop, { ...MANUAL, amount: 3000, reference: "called off" });
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/cancel`));
    const path = `/transactions/${transactionId}`;
    const whole = entriesOf(await shown(path));
    assert.deepEqual(whole, [
      ["Authorisation cancelled", "none"],
      ["Payment request completed", "good"],
      ["Authorised, to be captured: $30.00", "none"],
      ["Payment attempt: $30.00", "none"],
      ["One-time token created", "none"],
      ["Payment request created: $30.00", "none"],
    ]);
    for (const left of [2, 1, 0]) {
      await inContext(gateway.database, ({ db }) =>
        db.rows(
          sql(
            "test_delete_older_events",
            `delete from events where id in (
               select id from events where resource_id = $1 order by id desc offset $2)`,
          ),
          [transactionId, left],
        ),
      );
      const entries = entriesOf(await shown(path));
      // The authorisation may have the millisecond of the completed request.
      assert.deepEqual(
        entries.map(String).toSorted(),
        whole.map(String).toSorted(),
        `${left} events are left`,
      );
    }
  });

  test("the timeline of a verified card speaks of no payment and no amount", async () => {
    const { transactionId } = await payOnce(
      shop,
      { amount: 0, reference: "checked", customerRequest: { paymentInstrument: "create" } },
      { consent: true },
    );
    const page = await shown(`/transactions/${transactionId}`);
    assert.deepEqual(
      entriesOf(page).map(([words]) => words),
      [
        "Request to verify a card completed",
        "Card verified",
        "Card sent to be verified",
        "One-time token created",
        "Request to verify a card created",
      ],
    );
    assert.match(page, /Opened a checkout; the card was verified/);
  });

  test("the timeline says what changed of a payment request", async () => {
    const payIds = payIdShop(gateway, shop.key);
    const { id, payId } = await payIds.request();
    await payIds.pay(payId, 2999);
    await eventually("the transfer is returned", async () =>
      entriesOf(await shown(`/payment-requests/${id}`)).some(
        ([words]) => words === "Payment request changed: a transfer was sent back",
      ),
    );
  });
});
