import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { reconcileAccount } from "../../../src/features/acquirer-reconciliation/index.ts";
import type { Id } from "../../../src/kernel/ids.ts";
import { callApi, openFrame, type RequestOverrides, type Shop } from "../checkout.ts";
import { cloneDatabase, type TestDatabase } from "../database.ts";
import { eventually } from "../eventually.ts";
import { startGatewayProcess } from "../gateway-process.ts";
import { isInterruption } from "../mixed-load/lane.ts";
import { inContext } from "../operator.ts";
import { seeded } from "../random.ts";
import { settle } from "../settle.ts";
import { findBesideHost } from "./find-beside-host.ts";
import { type HostEntry, netOf, standingOf } from "./host-ledger.ts";
import { addIsoAccount } from "./iso-account.ts";
import { type IsoHost, startIsoHost } from "./iso-host.ts";

export type KillPlan = {
  readonly payments: number;
  readonly kills: number;
  /** Of each message at the host. */
  readonly faults: number;
  readonly payers: number;
  readonly seed: number;
};

const REQUESTS: readonly RequestOverrides[] = [
  {},
  { amount: 14_451 },
  { category: { captureType: "manual" } },
  { amount: 14_410 },
  { category: { captureType: "manual" }, amount: 7_700 },
];

const TYPES = ["0100", "0200", "0220", "0221", "0420", "0421", "0800"];
const MERCHANT = "select id from merchants order by id limit 1";
/** Payments from one address with one card, of which many are declined, look like card testing. */
const NO_LIMITS = `update merchants set card_testing = '{"address": 100000, "bin": 100000, "card": 100000, "merchant": 100000}'`;

/**
 * Pays, captures, voids and refunds through gateways that are killed, over a link on which anything goes wrong, until all
 * payments are made. Then compares three ledgers to the cent, the gateway's, the journal's and the host's, and checks every
 * invariant.
 */
export async function killWhilePaying(plan: KillPlan): Promise<KillReport> {
  const database = await cloneDatabase();
  const host = await startIsoHost({ seed: plan.seed });
  try {
    // The first start creates the sandbox merchant.
    await (await startGatewayProcess(database)).kill();
    await database.rows(NO_LIMITS);
    const [merchant] = await database.rows<{ id: string }>(MERCHANT);
    const accountId = await addIsoAccount(database, merchant?.id ?? "", host.port, { echoSeconds: 1 });
    await host.setFaults({ types: TYPES, probability: plan.faults, lateMs: 1_300 });
    const random = seeded(plan.seed);
    const tally = { answered: 0, kills: 0 };
    while (tally.answered < plan.payments || tally.kills < plan.kills) {
      await payUntilKilled(database, plan, { tally, random });
    }
    await host.setFaults({});
    const { seconds, sentAgain } = await settleAfterKills(database);
    const compared = await compareLedgers(database, host, { merchantId: merchant?.id ?? "", accountId });
    assert.deepEqual(await findBesideHost(database, merchant?.id ?? ""), []);
    return {
      counts: {
        payments: tally.answered,
        kills: tally.kills,
        "faults on the link": compared.faults,
        "requests at the host": compared.requests,
        reversals: compared.reversed,
        "second reversals brought forward": sentAgain,
      },
      most: { "seconds to settle": seconds },
    };
  } finally {
    await host.stop();
    await database.drop();
  }
}

/** What was done, and how long it took in real time until nothing was unsettled. */
export type KillReport = {
  readonly counts: {
    readonly payments: number;
    readonly kills: number;
    readonly "faults on the link": number;
    readonly "requests at the host": number;
    readonly reversals: number;
    readonly "second reversals brought forward": number;
  };
  readonly most: { readonly "seconds to settle": number };
};

type Tally = { answered: number; kills: number };
type Run = { readonly tally: Tally; readonly random: () => number };

async function payUntilKilled(database: TestDatabase, plan: KillPlan, { tally, random }: Run): Promise<void> {
  const gateway = await startGatewayProcess(database);
  const perLife = Math.ceil(plan.payments / Math.max(plan.kills, 1));
  const enough = tally.answered + Math.ceil(perLife * (0.5 + random()));
  let isKilled = false;
  const pay = async () => {
    while (!isKilled) {
      try {
        await payOne(gateway.shop, random);
        tally.answered += 1;
      } catch (error) {
        // A node that is killed breaks the connection; one on a busy machine may refuse with 503.
        if (!isInterruption(error)) throw error;
        await pause(20);
      }
    }
  };
  const payers = Promise.allSettled(Array.from({ length: plan.payers }, pay));
  await eventually("enough payments are answered", async () => tally.answered >= enough, 120_000);
  await pause(random() * 80);
  isKilled = true;
  await gateway.kill();
  tally.kills += 1;
  for (const payer of await payers) if (payer.status === "rejected") throw payer.reason;
}

async function payOne(shop: Shop, random: () => number): Promise<void> {
  const options = REQUESTS[Math.floor(random() * REQUESTS.length)] ?? {};
  const frame = await openFrame(shop, options);
  const { status, body } = await frame.pay();
  assert.equal(status, 200);
  if (body.state !== "approved") return;
  const path = `/transactions/${body.transactionId}`;
  if (options.category?.["captureType"] === "manual") {
    await callApi(shop, "POST", `${path}/${random() < 0.5 ? "capture" : "cancel"}`);
  }
  if (random() < 0.5) await callApi(shop, "POST", `${path}/refunds`, { payment: { amount: 100 } });
}

/**
 * Everything settles by itself, within a minute (I21) after a gateway runs again. The one exception are reversals that are sent
 * a second time: they are due two minutes after the first, and brought forward once the rest has settled.
 */
async function settleAfterKills(
  database: TestDatabase,
): Promise<{ readonly seconds: number; readonly sentAgain: number }> {
  const gateway = await startGatewayProcess(database);
  try {
    const seconds = await settle(database, Date.now());
    return { seconds, sentAgain: await sendReversalsAgain(database) };
  } finally {
    await gateway.kill();
  }
}

const SECOND_REVERSALS = `kind in ('checkout_reverse_again', 'refund_reverse_again', 'acquirer_reverse_late')`;

/** Brings forward the second reversals, until none is left. Returns how many there were. */
export async function sendReversalsAgain(
  database: TestDatabase,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<number> {
  const jobs = await database.rows(`select id from jobs where ${SECOND_REVERSALS}`);
  await eventually("every second reversal is confirmed", async () => {
    await database.rows(
      `update jobs set due_at = now() where due_at > now() + interval '2 seconds' and ${SECOND_REVERSALS}`,
    );
    await meanwhile();
    return (await listOpen(database)).length === 0;
  });
  return jobs.length;
}

/** What the gateway and the bank have not settled yet. */
export function listOpen(database: TestDatabase): Promise<readonly { readonly open: string }[]> {
  return database.rows(
    `select 'transaction ' || id as open from transactions where status = 'pending'
     union all select 'refund ' || id from refunds where status = 'pending'
     union all select kind || ' of ' || transaction_id from transaction_operations where status = 'pending'
     union all select kind || ' of ' || subject_id from jobs where ${SECOND_REVERSALS}`,
  );
}

type IsoAccount = { readonly merchantId: string; readonly accountId: Id<"acquirerAccount"> };

type Compared = {
  readonly net: number;
  readonly requests: number;
  readonly reversed: number;
  readonly faults: number;
};

/** Compares what a merchant's host has on record with the gateway and with its journal, to the cent. */
export async function compareLedgers(
  database: TestDatabase,
  host: IsoHost,
  { merchantId, accountId }: IsoAccount,
): Promise<Compared> {
  const account = { id: accountId, merchantId: merchantId as Id<"merchant"> };
  const differences = await inContext(database, (ctx) => reconcileAccount(ctx, account, 100));
  assert.deepEqual(differences, []);
  const entries = await host.entries();
  const hostNet = entries.reduce((total, entry) => total + netOf(entry), 0);
  const [ours] = await database.rows<{ net: string }>(
    `select (select coalesce(sum(captured), 0) from transactions where merchant_id = $1)
       - (select coalesce(sum(amount), 0) from refunds where merchant_id = $1 and status = 'approved') as net`,
    [merchantId],
  );
  assert.equal(hostNet, Number(ours?.net), "the host's ledger and the gateway's differ");
  await compareOneToOne(database, entries);
  const traces = await database.rows<{ stan: string }>("select stan from iso8583_messages where sends > 0");
  assert.equal(new Set(traces.map(({ stan }) => stan)).size, traces.length, "a trace number was used twice");
  const faulty = (await host.seen()).filter(({ fault }) => fault !== "none").length;
  const reversed = entries.filter(({ isReversed }) => isReversed).length;
  return { net: hostNet, requests: entries.length, reversed, faults: faulty };
}

/** What the host should have on record for a request, as the gateway has it. */
type Expected = {
  readonly stan: string;
  readonly transmitted: string;
  /** Positive for payments, negative for refunds. */
  readonly net: string;
  /** Approved and not voided: held, taken or returned. A declined payment has nothing here, neither money nor a hold. */
  readonly standing: string;
};

const EXPECTED = `
  select m.stan, m.transmitted, coalesce(t.captured, case when r.status = 'approved' then -r.amount end, 0) as net,
    case when t.status = 'approved' and t.capture_status in ('captured', 'uncaptured')
        then coalesce(t.approved_amount, t.amount + t.surcharge)
      when r.status = 'approved' then r.amount else 0 end as standing
  from iso8583_messages m
  left join transactions t on t.merchant_id = m.merchant_id and t.id = m.reference
  left join refunds r on r.merchant_id = m.merchant_id and r.id = m.reference
  where m.kind = 'request' and m.sends > 0`;

/** Each entry of the host against the record that it belongs to, and each record that stands against the host's entries. */
async function compareOneToOne(database: TestDatabase, entries: readonly HostEntry[]): Promise<void> {
  const keyOf = ({ stan, transmitted }: Pick<HostEntry, "stan" | "transmitted">) => `${stan} ${transmitted}`;
  const rows = await database.rows<Expected>(EXPECTED);
  const expected = new Map(rows.map((row) => [keyOf(row), [Number(row.net), Number(row.standing)]]));
  for (const entry of entries) {
    const found = [netOf(entry), standingOf(entry)];
    assert.deepEqual(found, expected.get(keyOf(entry)), `the host's entry ${keyOf(entry)} differs`);
  }
  const atHost = new Set(entries.map(keyOf));
  const missing = rows.filter((row) => Number(row.standing) !== 0 && !atHost.has(keyOf(row)));
  assert.deepEqual(missing, [], "approved here, and the host has no entry");
}
