import { setTimeout as pause } from "node:timers/promises";
import { verdict } from "../lines.ts";
import { type Generator, type LoadTarget, startGenerator } from "../load/drive.ts";
import type { LoadOrder } from "../load/generator.ts";
import { NUMBER } from "../load/number.ts";
import { copySessions, SESSION_PREFIX } from "../pays/copy-sessions.ts";
import { makeSample, PAY_BODY } from "../pays/sample.ts";
import { query, queryOne } from "../stage/database.ts";
import type { BenchGateway } from "../stage/gateway.ts";
import { acknowledged, failures, type Load, percentile, together } from "../statistics.ts";

/** What the gateway has to keep up while far too many creates arrive. */
const PAYMENTS_A_SECOND = 100;
/** Of the creates at their peak. */
const LISTS_SHARE = 0.1;
/** Enough for each kind: a request that found no free connection would not be sent, and its share would look better. */
const CALLERS = 512;
/** All payments come from one address with cards of one bank: so many under way would look like a card tester's. */
const MANY_PAYERS = { address: 10_000, bin: 10_000, merchant: 10_000 };
const WARM_UP_SECONDS = 3;
const SLICE_SECONDS = 5;
/** Creates begin earlier and end later, so that the other kinds meet a gateway that is full and not one that fills up. */
const LEAD_SECONDS = 1;
const TAIL_SECONDS = 0.5;
/** Connections are opened before: a process takes one new connection in each turn of its event loop, and is busy for long in each. */
const OPENING_SECONDS = 1;
const NAME_WIDTH = 10;

export type OverloadParts = {
  readonly stage: AsyncDisposableStack;
  readonly gateway: BenchGateway;
  readonly databaseUrl: string;
  readonly creates: { readonly generator: Generator; readonly target: LoadTarget };
  readonly headers: Readonly<Record<string, string>>;
};

export type Overload = {
  /** `rate`: of the creates. The other kinds arrive at the same time, each from callers of its own. */
  readonly run: (rate: number, seconds: number, report: (line: string) => void) => Promise<Kinds>;
  /** Rows of completed payments, and of requests, that only acknowledged calls can have written. */
  readonly countRows: () => Promise<{ readonly payments: number; readonly requests: number }>;
};

/** In the order in which the gateway has to answer them. */
export type Kinds = { readonly payments: Load; readonly creates: Load; readonly lists: Load };

/** Payments of prepared sessions and lists beside the creates, all at once. */
export async function prepareAllKinds(parts: OverloadParts): Promise<Overload> {
  const { stage, gateway, databaseUrl, creates, headers } = parts;
  const { openId } = await makeSample(gateway);
  await query(databaseUrl, `update merchants set card_testing = '${JSON.stringify(MANY_PAYERS)}'`);
  const [ofPayments, ofLists] = [startGenerator(stage), startGenerator(stage)];
  const lists: LoadTarget = {
    method: "GET",
    port: gateway.port,
    path: "/paymentrequests",
    headers,
    body: "",
    connections: CALLERS,
  };
  const payments: LoadTarget = {
    port: gateway.hostedPort,
    path: "/checkout/pay",
    headers: { "X-Checkout-Session": SESSION_PREFIX + NUMBER },
    body: PAY_BODY,
    connections: CALLERS,
  };
  let [next, copied, warmedUp] = [0, 0, 0];
  const pay = async (times: Pick<LoadOrder, "seconds" | "leadSeconds">): Promise<Load> => {
    const rate = PAYMENTS_A_SECOND;
    const load = await ofPayments.run({ ...payments, ...times, firstNumber: next, rate });
    next += acknowledged(load) + failures(load);
    return load;
  };
  return {
    run: async (rate, seconds, report) => {
      const wanted = Math.ceil((PAYMENTS_A_SECOND + 1) * (WARM_UP_SECONDS + seconds + 1));
      await copySessions(databaseUrl, openId, 0, wanted);
      copied = wanted;
      await query(databaseUrl, "analyze");
      report("warming payments up");
      warmedUp = acknowledged(await pay({ seconds: WARM_UP_SECONDS }));
      const slices = Math.max(1, Math.round(seconds / SLICE_SECONDS));
      const slice = seconds / slices;
      const [paid, created, listed]: [Load[], Load[], Load[]] = [[], [], []];
      report("payments, creates and lists at once");
      for (let turn = 0; turn < slices; turn += 1) {
        const lead = { leadSeconds: OPENING_SECONDS + LEAD_SECONDS, seconds: slice };
        const paying = pay(lead);
        const listing = ofLists.run({ ...lists, ...lead, rate: rate * LISTS_SHARE });
        await pause(OPENING_SECONDS * 1_000);
        const whole = LEAD_SECONDS + slice + TAIL_SECONDS;
        created.push(await creates.generator.run({ ...creates.target, seconds: whole, rate }));
        paid.push(await paying);
        listed.push(await listing);
      }
      return { payments: together(paid), creates: together(created), lists: together(listed) };
    },
    countRows: async () => {
      const rows = await queryOne<{ payments: number; requests: number }>(
        databaseUrl,
        `select (select count(*)::int - 1 from transactions where status = 'approved') as payments,
           (select count(*)::int - 2 from payment_requests) as requests`,
      );
      return { payments: rows.payments - warmedUp, requests: rows.requests - copied };
    },
  };
}

/** A line for each kind, and whether money was answered most, then creates, then lists. */
export function reportKinds(kinds: Kinds): { readonly lines: readonly string[]; readonly met: boolean } {
  const created = shareAnswered(kinds.creates);
  const met = shareAnswered(kinds.payments) > created && created > shareAnswered(kinds.lists);
  const strange = Object.values(kinds).reduce((sum, load) => sum + others(load), 0);
  return {
    lines: [
      `beside ${PAYMENTS_A_SECOND} payments/s and a list for every tenth create:`,
      ...Object.entries(kinds).map(([name, load]) => `  ${describe(name, load)}`),
      `payments before creates before lists: ${verdict(met)}`,
    ],
    met: met && strange === 0,
  };
}

function describe(name: string, load: Load): string {
  const ms = (share: number) => (acknowledged(load) === 0 ? "-" : `${percentile(load, share).toFixed(0)} ms`);
  const share = `${(100 * shareAnswered(load)).toFixed(1)} %`.padStart(7);
  return `${name.padEnd(NAME_WIDTH)} 200: ${acknowledged(load)}   503: ${load.answers[503] ?? 0}   other: ${others(load)}   answered ${share}   p50 ${ms(0.5)}   p99 ${ms(0.99)}`;
}

function shareAnswered(load: Load): number {
  return acknowledged(load) / (acknowledged(load) + failures(load));
}

function others(load: Load): number {
  return failures(load) - (load.answers[503] ?? 0);
}
