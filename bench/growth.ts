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

/** Whether the gateway is as fast with millions of rows as with thousands. */
export const growth: Question = {
  name: "growth",
  description: `how much longer claim, expiry, create, pay, read, lists, export, dashboard, payout step and webhook take last with --rows rows in every table than with ${SMALL}, most of them of one merchant and the others of many small ones (lower quartile of alternating runs, which other work on the machine disturbs least; goal: ${GOAL})`,
  answer: answerGrowth,
};

async function answerGrowth({ rows = LARGE, stage, report }: BenchOptions): Promise<Finding> {
  report("starting PostgreSQL");
  const server = await startDatabaseServer(stage);
  const small = await prepare(server, SMALL, report);
  const large = await prepare(server, rows, report);
  return onPlace(small, (few) => onPlace(large, async (many) => compare(few, many, rows, report)));
}

type Prepared = { readonly url: string; readonly merchantId: string };

async function prepare(server: BenchServer, rows: number, report: BenchOptions["report"]): Promise<Prepared> {
  const url = await server.newDatabase(`rows_${rows}`);
  await migrate(url);
  await inContext(asTest(url), ({ db, vaultKeys, now }) => openVault(db, vaultKeys, now));
  const { id } = await makeMerchant(asTest(url), "sandbox", "AU");
  report(`filling every table with ${rows} rows`);
  await fillTables(url, sizesOf(id, rows, Date.now()), report);
  return { url, merchantId: id };
}

async function onPlace<Result>(
  { url, merchantId }: Prepared,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  return inContext(asTest(url), async (ctx) => {
    const merchant = await findMerchant(ctx.db, merchantId as Merchant["id"]);
    if (merchant === undefined) throw new Error("no such merchant");
    return work({ ctx, merchant, url });
  });
}

const asTest = (url: string) => ({ url, rows: async () => [], drop: async () => {} });

async function compare(
  few: Place,
  many: Place,
  rows: number,
  report: BenchOptions["report"],
): Promise<Finding> {
  report("summing up the hours, as the chore does");
  for (const { ctx } of [few, many]) {
    await addUpTotals(ctx, 0);
    while ((await addUpTotals(ctx, 0)) === "more");
  }
  const [onSmall, onLarge] = [await operationsOn(few), await operationsOn(many)];
  const lines = [`${"".padEnd(18)} ${SMALL} rows   ${rows} rows   ratio`];
  let met = true;
  for (const [index, small] of onSmall.entries()) {
    const large = onLarge[index];
    if (large === undefined) continue;
    report(small.name);
    const [one, other] = await timeInTurns(small, large);
    const ratio = other / one;
    const isMet = small.without !== undefined || ratio <= GOAL;
    met &&= isMet;
    const cells = [one, other].map((ms) => `${ms.toFixed(2)} ms`.padStart(11));
    const remark = small.without === undefined ? "" : `no goal: ${small.without}`;
    lines.push(
      `${small.name.padEnd(18)} ${cells.join("  ")}   ${ratio.toFixed(2)} ${isMet ? remark : verdict(false)}`.trimEnd(),
    );
  }
  return { lines: [...lines, await serverLine(few.url, many.url)], met };
}

/** What the times depend on: how much of the larger database the server holds in its memory. */
async function serverLine(few: string, many: string): Promise<string> {
  const facts = `select current_setting('server_version') as version, current_setting('shared_buffers') as buffers,
    pg_size_pretty(pg_database_size(current_database())) as size`;
  type Facts = { readonly version: string; readonly buffers: string; readonly size: string };
  const [small, large] = [await queryOne<Facts>(few, facts), await queryOne<Facts>(many, facts)];
  return `server: PostgreSQL ${large.version}, shared_buffers ${large.buffers}, databases of ${small.size} and ${large.size}`;
}

/** Milliseconds. The two take turns, so that whatever else the machine does slows both. */
async function timeInTurns(one: Operation, other: Operation): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []];
  const warmUp = Math.ceil(one.times / 4);
  for (let turn = -warmUp; turn < one.times; turn += 1) {
    for (const [place, { prepare, run }] of [one, other].entries()) {
      await prepare?.(turn + warmUp);
      const startedAt = performance.now();
      await run(turn + warmUp);
      if (turn >= 0) times[place]?.push(performance.now() - startedAt);
    }
  }
  return [lowerQuartile(times[0]), lowerQuartile(times[1])];
}

function lowerQuartile(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 4)] ?? Number.NaN;
}
