import pg from "pg";
import { callApi, ok, openFrame, payOnce, type Shop } from "../../tests/support/checkout.ts";
import { disputeOf } from "../../tests/support/disputes.ts";
import { createHosted } from "../../tests/support/hosted-page.ts";
import { makeRefunds, makeSurroundings, makeTransactions } from "../../tests/support/many-payments.ts";
import { storedCard } from "../../tests/support/stored-cards.ts";

const DAY = 86_400_000;

type Named = { readonly id: string };

export type DashboardData = {
  readonly refunded: string;
  readonly declined: string;
  readonly authorised: string;
  readonly payout: string;
  readonly customer: string;
  readonly event: string;
  readonly webhook: string;
  readonly dispute: string;
  readonly refund: string;
  readonly paid: string;
  readonly open: string;
  readonly verified: string;
};

/** A month of a bookshop's payments, inserted at once, and a few real payments of today. */
export async function fillShop(url: string, shop: Shop, merchantId: string): Promise<DashboardData> {
  await makeMonth(url, merchantId);
  // Its answers do not matter: it makes deliveries appear.
  const endpoint = `${shop.hostedUrl.replace("localhost", "127.0.0.1")}/hooks/tidegate`;
  const webhook = ok(
    await callApi(shop, "POST", "/webhooks", { event: "transactions", url: endpoint }),
  ) as Named;
  const customer = await storedCard(shop, {
    amount: 4590,
    reference: "order-4051",
    customerRequest: { name: "Mere Tui", email: "mere@example.com" },
  });
  const refunded = await payOnce(shop, { amount: 12_850, reference: "order-4052" });
  const refunds = `/transactions/${refunded.transactionId}/refunds`;
  const refund = ok(
    await callApi(shop, "POST", refunds, { reference: "one book back", payment: { amount: 3_200 } }),
  ) as Named;
  ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
  const open = (await createHosted(shop, { amount: 14_451, more: { reference: "order-4053" } })) as Named;
  const challenged = {
    amount: 14_418,
    reference: "order-4054",
    category: { authenticationType: "3d_secure" },
  };
  await (await openFrame(shop, challenged)).pay();
  const short = await payOnce(shop, { amount: 14_451, reference: "order-4055" });
  const authorised = await payOnce(shop, {
    amount: 8_900,
    reference: "order-4056",
    category: { captureType: "manual" },
  });
  const value = "order-4057";
  ok(
    await callApi(shop, "POST", "/paymentrequests", {
      reference: value,
      payment: { amount: 6_000, instrument: { payId: { type: "single", value } } },
    }),
  );
  await payOnce(shop, {
    amount: 14_410,
    reference: "order-4059",
    category: { partialApproval: "accept" },
  });
  const verified = await payOnce(
    shop,
    { amount: 0, reference: "member-4060", customerRequest: { paymentInstrument: "create" } },
    { consent: true },
  );
  const dispute = await disputeOf(shop, { reference: "order-4058" });
  const { payouts } = ok(await callApi(shop, "GET", "/payouts")) as { payouts: readonly Named[] };
  const { events } = ok(await callApi(shop, "GET", `/events?resourceid=${refunded.transactionId}`)) as {
    events: readonly Named[];
  };
  return {
    refunded: refunded.transactionId,
    declined: short.requestId,
    authorised: authorised.transactionId,
    payout: payouts[0]?.id ?? "",
    customer: customer.id,
    event: events[0]?.id ?? "",
    webhook: webhook.id,
    dispute: dispute.id,
    refund: refund.id,
    paid: refunded.requestId,
    open: open.id,
    verified: verified.transactionId,
  };
}

async function makeMonth(url: string, merchantId: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const run = (text: string, values: readonly unknown[] = []) => client.query(text, [...values]);
    const many = { merchantId, rows: 4_050, until: Date.now() - 60_000, span: 31 * DAY };
    await makeTransactions(run, many);
    await makeRefunds(run, many);
    await makeSurroundings(run, many);
    // Removes some payments of nights and Mondays, for a realistic chart.
    await client.query("set session_replication_role = replica");
    await client.query(
      `delete from transactions where merchant_id = $1 and id not in (select transaction_id from refunds) and (
         extract(hour from created_at at time zone 'Australia/Sydney') between 0 and 6
         or extract(dow from created_at at time zone 'Australia/Sydney') = 1 and random() < 0.5
         or random() < 0.3 * (1 + sin(extract(epoch from created_at) / 200000)))`,
      [merchantId],
    );
    // The request of a payment says what became of it.
    await client.query(
      `update payment_requests r set status = 'completed',
         approved_transaction_id = case when t.status = 'approved' then t.id end
       from transactions t where r.merchant_id = $1 and t.merchant_id = $1 and t.payment_request_id = r.id
         and t.status <> 'pending'`,
      [merchantId],
    );
    await client.query(
      `delete from payment_requests r where merchant_id = $1 and status in ('created', 'completed') and not exists (
         select from transactions t where t.merchant_id = $1 and t.payment_request_id = r.id)`,
      [merchantId],
    );
    await client.query(
      `delete from payout_lines l where merchant_id = $1 and not exists (
         select from transactions t where t.merchant_id = l.merchant_id and t.id = l.transaction_id)`,
      [merchantId],
    );
  } finally {
    await client.end();
  }
}
