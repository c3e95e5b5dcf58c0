import { addUpTotals } from "../src/dashboard/overview/hours/add-up-totals.ts";
import { findMerchant, type Merchant } from "../src/features/merchants/index.ts";
import { migrate } from "../src/platform/db/migrate.ts";
import { openVault } from "../src/platform/vault/open-vault.ts";
import { inContext, makeMerchant } from "../tests/support/operator.ts";
import { fillTables } from "./growth/fill.ts";
import { type Operation, operationsOn, type Place } from "./growth/operations.ts";
import { sizesOf } from "./growth/sizes.ts";
import { verdict } from "./lines.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { type BenchServer, queryOne, startDatabaseServer } from "./stage/database.ts";

const SMALL = 10_000;
const LARGE = 1_000_000;
const GOAL = 1.3;
/** Of the columns in characters. */
const NAME_WIDTH = 18;
const WIDTH = 16;

/** Whether the gateway is as fast with millions of rows as with thousands. */
export const growth: Question = {
  name: "growth",
  description: `how much longer claim, expiry, create, pay, read, lists, export, dashboard, payout step and webhook take last with --rows rows in every table (${LARGE} unless given, and beside more) than with ${SMALL}, most of them of one merchant and the others of many small ones (lower quartile of alternating runs, which other work on the machine disturbs least; goal: ${GOAL})`,
  answer: answerGrowth,
};

async function answerGrowth({ rows = LARGE, stage, report }: BenchOptions): Promise<Finding> {
  report("starting PostgreSQL");
  const server = await startDatabaseServer(stage);
  const sizes = [SMALL, ...(rows > LARGE ? [LARGE] : []), rows];
  const prepared: Prepared[] = [];
  for (const size of sizes) prepared.push(await prepare(server, size, report));
  return onPlaces(prepared, (places) => compare(places, report));
}

type Prepared = { readonly url: string; readonly merchantId: string; readonly rows: number };
type Sized = Place & { readonly rows: number };

async function prepare(server: BenchServer, rows: number, report: BenchOptions["report"]): Promise<Prepared> {
  const url = await server.newDatabase(`rows_${rows}`);
  await migrate(url);
  await inContext(asTest(url), ({ db, vaultKeys, now }) => openVault(db, vaultKeys, now));
  const { id } = await makeMerchant(asTest(url), "sandbox", "AU");
  report(`filling every table with ${rows} rows`);
  await fillTables(url, sizesOf(id, rows, Date.now()), report);
  return { url, merchantId: id, rows };
}

async function onPlaces<Result>(
  [first, ...others]: readonly Prepared[],
  work: (places: readonly Sized[]) => Promise<Result>,
): Promise<Result> {
  if (first === undefined) return work([]);
  const { url, merchantId, rows } = first;
  return inContext(asTest(url), async (ctx) => {
    const merchant = await findMerchant(ctx.db, merchantId as Merchant["id"]);
    if (merchant === undefined) throw new Error("no such merchant");
    return onPlaces(others, (places) => work([{ ctx, merchant, url, rows }, ...places]));
  });
}

const asTest = (url: string) => ({ url, rows: async () => [], drop: async () => {} });

async function compare(places: readonly Sized[], report: BenchOptions["report"]): Promise<Finding> {
  report("summing up the hours, as the chore does");
  for (const { ctx } of places) {
    await addUpTotals(ctx, 0);
    while ((await addUpTotals(ctx, 0)) === "more");
  }
  const all = await Promise.all(places.map(operationsOn));
  const head = places.map(({ rows }) => `${rows} rows`.padStart(WIDTH)).join("");
  const lines = [`${"".padEnd(NAME_WIDTH)}${head}   ratio${places.length > 2 ? "s" : ""}`];
  let met = true;
  for (const [index, { name }] of (all[0] ?? []).entries()) {
    report(name);
    const [least = Number.NaN, ...more] = await timeInTurns(
      all.flatMap((operations) => operations[index] ?? []),
    );
    const ratios = more.map((ms) => ms / least);
    const isMet = ratios.every((ratio) => ratio <= GOAL);
    met &&= isMet;
    const cells = [least, ...more].map((ms) => `${ms.toFixed(2)} ms`.padStart(WIDTH)).join("");
    const shown = ratios.map((ratio) => ratio.toFixed(2)).join(" ");
    lines.push(`${name.padEnd(NAME_WIDTH)}${cells}   ${shown}${isMet ? "" : ` ${verdict(false)}`}`);
  }
  const isPartial = !places.some(({ rows }) => rows === LARGE);
  return { lines: [...lines, await serverLine(places)], met, isPartial };
}

/** What the times depend on: how much of the larger database the server holds in its memory. */
async function serverLine(places: readonly Sized[]): Promise<string> {
  const facts = `select current_setting('server_version') as version, current_setting('shared_buffers') as buffers,
    pg_size_pretty(pg_database_size(current_database())) as size`;
  type Facts = { readonly version: string; readonly buffers: string; readonly size: string };
  const found = await Promise.all(places.map(({ url }) => queryOne<Facts>(url, facts)));
  const sizes = found.map(({ size }) => size).join(", ");
  return `server: PostgreSQL ${found[0]?.version}, shared_buffers ${found[0]?.buffers}, databases of ${sizes}`;
}

/** Milliseconds. They take turns, so that whatever else the machine does slows all. */
async function timeInTurns(operations: readonly Operation[]): Promise<readonly number[]> {
  const times = operations.map((): number[] => []);
  const turns = operations[0]?.times ?? 0;
  const warmUp = Math.ceil(turns / 4);
  for (let turn = -warmUp; turn < turns; turn += 1) {
    for (const [place, { prepare, run }] of operations.entries()) {
      await prepare?.(turn + warmUp);
      const startedAt = performance.now();
      await run(turn + warmUp);
      if (turn >= 0) times[place]?.push(performance.now() - startedAt);
    }
  }
  return times.map(lowerQuartile);
}

function lowerQuartile(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 4)] ?? Number.NaN;
}
