import { type IdNoun, idFloor } from "../../src/kernel/ids.ts";
import { DAY, HOUR, instant } from "../../src/kernel/time.ts";
import { ROWS_OF_SMALL, type Sizes, SMALL_MERCHANTS } from "./sizes.ts";

/** Payment requests of the large merchant that are overdue, for measuring their expiry. */
export const OVERDUE = 1_000;
/** One merchant in so many rows waits for a retry of a delivery; a small table has a few hundred of them, too. */
const ROWS_PER_WAITING_MERCHANT = 50;
const WAITING_AT_LEAST = 300;

/** The payments lie in the 90 days up to the day before yesterday. */
const SPAN = 90 * DAY;
const UNTIL = 2 * DAY;

type Table = {
  readonly table: string;
  readonly columns: string;
  /** In PostgreSQL's text format. */
  readonly lines: (sizes: Sizes) => Iterable<string>;
};

type Numbered = { readonly merchant: string; readonly n: number; readonly moment: number };

/** Each row's number, the merchant that has it, and when it was made; the merchants' rows lie among each other. */
function* numbered({ merchantId, rows, small, now }: Sizes, every = 1): Generator<Numbered> {
  for (let n = every; n <= rows; n += every) {
    const isSmall = n > OVERDUE && n % 5 === 4 && Math.floor(n / 5) <= small * ROWS_OF_SMALL;
    const merchant = isSmall ? `${SMALL_MERCHANTS}${(Math.floor(n / 5) % small) + 1}` : merchantId;
    yield { merchant, n, moment: Math.floor(now - UNTIL - SPAN + (n * SPAN) / rows) };
  }
}

/** In the gateway's format: sorts by time, and the end is no count. */
function idOf(noun: IdNoun, { n, moment }: Numbered): string {
  const mixed = (Math.imul(n, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
  return `${idFloor(noun, instant(moment))}000${mixed}${n.toString(16).padStart(8, "0")}`;
}

const iso = (moment: number) => new Date(moment).toISOString();
const amountOf = (n: number) => 1000 + ((n * 7919) % 20_000);
const SOURCES = ["card", "card", "card", "card", "apple_pay", "google_pay", "card"];
const DECLINES = ["D04451", "D04405", "D04451", "D04454", "D04414", "D04491", "D04405"];
const CARD = '{"name":"Mere Tui","last4":"1111","expiryMonth":12,"expiryYear":2030,"cardType":"visa"}';

function statusOf(n: number): "approved" | "declined" | "pending" {
  if (n % 11 === 0) return "declined";
  return n % 1009 === 5 ? "pending" : "approved";
}

function transactionLine(row: Numbered): string {
  const { merchant, n, moment } = row;
  const status = statusOf(n);
  const isApproved = status === "approved";
  return [
    merchant,
    idOf("transaction", row),
    idOf("paymentRequest", row),
    n % 10 === 0 ? `cus_${n % 1000}` : "\\N",
    `order-${n}`,
    `purchase\t${SOURCES[n % 7]}`,
    "internet\tsingle\tauto",
    status,
    status === "pending" ? "calling" : "settled",
    isApproved ? "A02000" : status === "declined" ? DECLINES[Math.floor(n / 11) % 7] : "\\N",
    amountOf(n),
    "AUD",
    isApproved ? "captured" : "\\N",
    isApproved ? amountOf(n) : 0,
    CARD,
    iso(moment),
    iso(moment + 1_000),
  ].join("\t");
}

/** The first ones are overdue; of the others one in four is open. */
function requestLine(row: Numbered, now: number): string {
  const { merchant, n, moment } = row;
  const isOpen = n <= OVERDUE || n % 4 === 0;
  return [
    merchant,
    idOf("paymentRequest", row),
    `order-${n}`,
    "checkout",
    isOpen ? "created" : "completed",
    amountOf(n),
    "AUD",
    '{"paymentMethods":["card"],"category":{"frequency":"single"}}',
    !isOpen && statusOf(n) === "approved" ? idOf("transaction", row) : "\\N",
    iso(expiryOf(n, now)),
    iso(moment),
    iso(moment + 1_000),
  ].join("\t");
}

const expiryOf = (n: number, now: number) => (n <= OVERDUE ? now - HOUR : now + DAY);

/** Within the last day. */
const recent = (n: number, { now, rows }: Sizes) => iso(now - DAY + (n * DAY) / rows);

export const TABLES: readonly Table[] = [
  {
    table: "transactions",
    columns: `merchant_id, id, payment_request_id, customer_id, reference, method, source, origin, frequency, capture_type,
      status, phase, code, amount, currency, capture_status, captured, card, created_at, updated_at`,
    lines: function* (sizes) {
      for (const row of numbered(sizes)) yield transactionLine(row);
    },
  },
  {
    table: "refunds",
    columns:
      "merchant_id, id, transaction_id, reference, amount, currency, status, code, created_at, updated_at",
    lines: function* (sizes) {
      for (const row of numbered(sizes, 25)) {
        const status = row.n % 200 === 0 ? "declined\tD04405" : "approved\tA02000";
        const times = `${iso(row.moment)}\t${iso(row.moment + 5_000)}`;
        yield `${row.merchant}\t${idOf("refund", row)}\t${idOf("transaction", row)}\trefund-${row.n}\t${Math.floor(amountOf(row.n) / 2)}\tAUD\t${status}\t${times}`;
      }
    },
  },
  {
    table: "payment_requests",
    columns: `merchant_id, id, reference, flow, status, amount, currency, details, approved_transaction_id, expires_at,
      created_at, updated_at`,
    lines: function* (sizes) {
      for (const row of numbered(sizes)) yield requestLine(row, sizes.now);
    },
  },
  {
    table: "jobs",
    columns: "kind, merchant_id, subject_id, due_at",
    lines: function* (sizes) {
      for (const row of numbered(sizes))
        yield `payment_request_expire\t${row.merchant}\t${idOf("paymentRequest", row)}\t${iso(expiryOf(row.n, sizes.now))}`;
      for (let n = 1; n <= sizes.small; n += 1)
        yield `payout_run\t${SMALL_MERCHANTS}${n}\t${SMALL_MERCHANTS}${n}\t${iso(sizes.now + DAY)}`;
    },
  },
  {
    table: "events",
    columns: "merchant_id, id, event, resource_id, created_at, body",
    lines: function* (sizes) {
      const body = "x".repeat(200);
      for (const row of numbered(sizes))
        yield `${row.merchant}\t${idOf("event", row)}\tpayment_requests\t${idOf("paymentRequest", row)}\t${recent(row.n, sizes)}\t${body}`;
    },
  },
  {
    table: "deliveries",
    columns: "merchant_id, event_id, webhook_id, due_at",
    lines: function* (sizes) {
      for (const row of numbered(sizes))
        yield `${row.merchant}\t${idOf("event", row)}\twh_bench\t${recent(row.n, sizes)}`;
      const waiting = Math.max(WAITING_AT_LEAST, Math.ceil(sizes.rows / ROWS_PER_WAITING_MERCHANT));
      for (let n = 1; n <= waiting; n += 1)
        yield `mer_waiting_${n}\tevt_${n}\twh_${n}\t${iso(sizes.now + DAY)}`;
    },
  },
  {
    table: "webhooks",
    columns: "merchant_id, id, event, url, status, created_at, updated_at",
    lines: function* ({ merchantId, small, now }) {
      const rest = `wh_bench\tpayment_requests\thttps://shop.example\tactive\t${iso(now)}\t${iso(now)}`;
      yield `${merchantId}\t${rest}`;
      for (let n = 1; n <= small; n += 1) yield `${SMALL_MERCHANTS}${n}\t${rest}`;
    },
  },
  {
    table: "idempotency_keys",
    columns: "merchant_id, key, request_id, created_at",
    lines: function* (sizes) {
      for (const row of numbered(sizes))
        yield `${row.merchant}\t${(Math.imul(row.n, 0x9e3779b1) >>> 0).toString(16)}-${row.n}\treq\t${recent(row.n, sizes)}`;
    },
  },
  {
    table: "payout_lines",
    columns: "merchant_id, kind, subject_id, transaction_id, currency, amount, at",
    lines: function* (sizes) {
      for (const row of numbered(sizes)) {
        const id = idOf("transaction", row);
        yield `${row.merchant}\tpayment\t${id}\t${id}\tAUD\t${amountOf(row.n)}\t${iso(sizes.now - 3 * DAY + (row.n * DAY) / sizes.rows)}`;
      }
    },
  },
];
