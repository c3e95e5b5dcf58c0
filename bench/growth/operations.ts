import { readOverview } from "../../src/dashboard/overview/read-overview.ts";
import { initialise, type PayInput, pay } from "../../src/features/checkout/index.ts";
import { getPayableSession } from "../../src/features/checkout/session.ts";
import { createCandidateFinder } from "../../src/features/deliveries/sending/find-candidates.ts";
import { takeDue } from "../../src/features/deliveries/sending/queries.ts";
import type { Merchant, RequestCaller } from "../../src/features/merchants/index.ts";
import {
  createPaymentRequest,
  expirePaymentRequest,
  getPaymentRequest,
} from "../../src/features/payment-requests/index.ts";
import { listRequestRows } from "../../src/features/payment-requests/queries.ts";
import { beginTaking, lockBuild, takeLines } from "../../src/features/payouts/queries.ts";
import { createToken } from "../../src/features/tokens/index.ts";
import { listTransactions } from "../../src/features/transactions/queries.ts";
import { type Id, newId } from "../../src/kernel/ids.ts";
import { DAY, instant, later, MINUTE } from "../../src/kernel/time.ts";
import type { Context } from "../../src/platform/context.ts";
import type { Tx } from "../../src/platform/db/database.ts";
import { createClaimer } from "../../src/platform/jobs/claim.ts";
import { PAY_WITH_ONE_CARD } from "../pays/sample.ts";
import { query } from "../stage/database.ts";
import { OVERDUE } from "./rows.ts";
import { SMALL_MERCHANTS } from "./sizes.ts";

export type Operation = {
  readonly name: string;
  readonly times: number;
  /** Before each run, not timed. */
  readonly prepare?: (turn: number) => Promise<unknown>;
  readonly run: (turn: number) => Promise<unknown>;
};

/** So many requests are read again and again: as many as the turns that warm up. */
const READ_AGAIN = 50;

export type Place = { readonly ctx: Context; readonly merchant: Merchant; readonly url: string };

/** What the gateway does all day, on one database. Work that would use up what it works on is rolled back. */
export async function operationsOn({ ctx, merchant, url }: Place): Promise<readonly Operation[]> {
  const ids = await requestIds(url, merchant.id, "");
  const overdue = await requestIds(url, merchant.id, "and expires_at < now()");
  const small = { ...merchant, id: `${SMALL_MERCHANTS}1` as Merchant["id"] };
  const caller = (turn: number): RequestCaller => ({
    merchant,
    merchantId: merchant.id,
    mode: merchant.mode,
    scopes: ["write"],
    keyId: "bench",
    requestId: "bench",
    idempotencyKey: `bench-${turn}`,
  });
  let session = "";
  const page = { before: "pr_z", from: "pr_", limit: 20 };
  const node = { name: "bench", pid: null, since: null, isOver: () => false };
  return [
    {
      name: "claim of jobs",
      times: 60,
      run: () =>
        undone(ctx, (tx) => {
          const claim = createClaimer(["payment_request_expire"], { total: () => 0, ofMerchant: () => 0 });
          return claim(tx, ctx.now(), later(ctx.now(), MINUTE));
        }),
    },
    {
      name: "expiry",
      times: 100,
      // Expired once and undone: the pages are in memory, whatever the database's size.
      prepare: (turn) =>
        undone(ctx, (tx) =>
          expirePaymentRequest(
            { ...ctx, db: { ...ctx.db, transaction: (work) => work(tx) } },
            merchant,
            pick(overdue, turn),
          ),
        ),
      run: (turn) => expirePaymentRequest(ctx, merchant, pick(overdue, turn)),
    },
    {
      name: "create",
      times: 200,
      run: (turn) =>
        createPaymentRequest(ctx, caller(turn), {
          payment: { amount: 3000 },
          paymentMethods: ["card"],
          transactionRequest: {},
        }),
    },
    {
      name: "pay",
      times: 60,
      prepare: async (turn) => {
        session = await newSession(ctx, caller(1_000_000 + turn));
      },
      run: async () => {
        const { state } = await pay(ctx, await getPayableSession(ctx, session), PAYMENT, {
          browser: BROWSER,
        });
        if (state !== "approved") throw new Error(`the payment is ${state}`);
      },
    },
    {
      // The first turns are not timed, so each was read before: its pages are in memory, whatever the database's size.
      name: "read",
      times: 200,
      run: (turn) => getPaymentRequest(ctx, merchant, pick(ids, turn % READ_AGAIN)),
    },
    {
      // A larger database has pages that only the disk holds.
      name: "read, first time",
      times: 200,
      run: (turn) => getPaymentRequest(ctx, merchant, pick(ids, READ_AGAIN + turn)),
    },
    {
      name: "list",
      times: 100,
      run: () => listRequestRows(ctx.db, merchant.id, page, { now: ctx.now() }),
    },
    {
      name: "list by status",
      times: 100,
      run: () => listRequestRows(ctx.db, merchant.id, page, { status: "completed", now: ctx.now() }),
    },
    {
      name: "list, small one",
      times: 100,
      run: () => listRequestRows(ctx.db, small.id, page, { status: "completed", now: ctx.now() }),
    },
    {
      name: "export of 1,000",
      times: 20,
      run: () => listTransactions(ctx.db, merchant.id, { before: "txn_z", from: "txn_", limit: 1_000 }, {}),
    },
    {
      name: "dashboard",
      times: 20,
      run: () => readOverview(ctx, merchant, "7d"),
    },
    {
      name: "…, small one",
      times: 20,
      run: () => readOverview(ctx, small, "7d"),
    },
    {
      name: "payout step",
      times: 8,
      run: () =>
        undone(ctx, async (tx) => {
          const cutOff = instant(ctx.now() - DAY);
          const build = await lockBuild(tx, merchant.id, "AUD", cutOff);
          if (build === undefined) throw new Error("no line is held");
          const payoutId = newId("payout", ctx.now());
          await beginTaking(tx, build, payoutId);
          return takeLines(tx, { ...build, payoutId });
        }),
    },
    {
      name: "webhook take",
      times: 60,
      run: () =>
        undone(ctx, async (tx) => {
          const candidates = await createCandidateFinder(ctx.now)(tx);
          const wanted = { held: [merchant.id], candidates, leaseSeconds: 5, newMerchantsAtMost: 64 };
          return takeDue(tx, node, wanted);
        }),
    },
  ];
}

const PAYMENT = JSON.parse(PAY_WITH_ONE_CARD) as PayInput;
const BROWSER = {
  ipAddress: "192.0.2.1",
  acceptHeader: "*/*",
  userAgent: "bench",
  language: "en",
  javaScriptEnabled: false,
};

async function newSession(ctx: Context, caller: RequestCaller): Promise<string> {
  const request = await createPaymentRequest(ctx, caller, {
    payment: { amount: 3000 },
    paymentMethods: ["card"],
    transactionRequest: {},
  });
  const key = { ...caller, idempotencyKey: undefined };
  const { secret: token } = await createToken(ctx, key, request.id);
  const { session } = await initialise(ctx, { token, parentOrigin: "https://shop.example" });
  return session;
}

/** Some ids from all over the table. */
async function requestIds(
  url: string,
  merchantId: string,
  filter: string,
): Promise<readonly Id<"paymentRequest">[]> {
  const rows = await query<{ id: Id<"paymentRequest"> }>(
    url,
    `select id from payment_requests where merchant_id = '${merchantId}' and status = 'created' ${filter} order by md5(id) limit ${OVERDUE}`,
  );
  return rows.map(({ id }) => id);
}

function pick<One>(all: readonly One[], turn: number): One {
  const one = all[turn % all.length];
  if (one === undefined) throw new Error("there is nothing to pick from");
  return one;
}

class Undone extends Error {}

async function undone(ctx: Context, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  const running = ctx.db.transaction(async (tx) => {
    await work(tx);
    throw new Undone();
  });
  await running.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
}
