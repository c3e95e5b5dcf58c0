import assert from "node:assert/strict";
import { createRequest, payOnce, type Shop } from "./checkout.ts";
import type { TestDatabase } from "./database.ts";
import type { DatabaseProxy } from "./database-proxy.ts";

/** What must not grow while a gateway runs for long. */
export type VitalSigns = {
  readonly heapMb: number;
  readonly residentMb: number;
  readonly fileHandles: number;
  readonly databaseConnections: number;
  /** Of the connection that has most: connections come and go, and one that has more and more statements is a leak. */
  readonly preparedStatements: number;
  /** Of the fastest of some calls: on a busy machine the others say how busy it is. */
  readonly createMs: number;
  readonly payMs: number;
  /** Of 20 calls, the second slowest. */
  readonly createP95Ms: number;
  readonly payP95Ms: number;
  /** Bytes of each table with its indexes. */
  readonly tables: Readonly<Record<string, number>>;
};

const PROBES = 20;
const TABLES = `select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace`;

/** Reads a gateway's own metrics, its connections and its tables, and times some calls, while nothing else runs. */
export async function readVitalSigns(
  shop: Shop,
  { database, proxy }: { readonly database: TestDatabase; readonly proxy: DatabaseProxy },
): Promise<VitalSigns> {
  const text = await (await fetch(`${shop.baseUrl.replace("localhost", "127.0.0.1")}/metrics`)).text();
  const metric = (name: string) => {
    const value = new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1];
    assert.ok(value !== undefined, `no metric ${name}`);
    return Number(value);
  };
  const creates = await timed(() => createRequest(shop));
  const payments = await timed(() => payOnce(shop));
  const tables = await database.rows<{ name: string; bytes: number }>(TABLES);
  return {
    heapMb: metric("nodejs_heap_size_used_bytes") / 1e6,
    residentMb: metric("process_resident_memory_bytes") / 1e6,
    fileHandles: metric("process_open_fds"),
    databaseConnections: proxy.openConnections(),
    preparedStatements: proxy.preparedStatements(),
    createMs: Math.min(...creates),
    payMs: Math.min(...payments),
    createP95Ms: p95(creates),
    payP95Ms: p95(payments),
    tables: Object.fromEntries(tables.map(({ name, bytes }) => [name, bytes])),
  };
}

async function timed(call: () => Promise<unknown>): Promise<readonly number[]> {
  const took: number[] = [];
  for (let time = 0; time < PROBES; time += 1) {
    const startedAt = performance.now();
    await call();
    took.push(performance.now() - startedAt);
  }
  return took;
}

/** So many percent of the calls take no longer. */
function p95(took: readonly number[]): number {
  return took.toSorted((one, other) => one - other)[Math.ceil(took.length * 0.95) - 1] ?? 0;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

type Bound = { readonly factor: number; readonly plus: number };
type NamedBound = Bound & { readonly about: string };
/** How the two values of each figure end; the page of proofs puts them side by side. */
export const FIRST_QUARTER = " in the first quarter";
export const LAST_QUARTER = " in the last quarter";

/** By how much the last quarter may exceed the first. */
export const BOUNDS: Readonly<Record<Exclude<keyof VitalSigns, "tables">, NamedBound>> = {
  // Measured: 42 to 44 MB after each of 4,000 payments. 20 KB a second that nothing frees are 10 MB in the minutes of this day.
  heapMb: { about: "heap MB", factor: 1.05, plus: 3 },
  residentMb: { about: "resident MB", factor: 1.2, plus: 40 },
  fileHandles: { about: "file handles", factor: 1, plus: 10 },
  databaseConnections: { about: "database connections", factor: 1, plus: 4 },
  preparedStatements: { about: "most prepared statements of a connection", factor: 1.1, plus: 10 },
  createMs: { about: "ms of the fastest create", factor: 1.5, plus: 10 },
  payMs: { about: "ms of the fastest payment", factor: 1.5, plus: 20 },
  // Two calls of 20 that wait for a busy machine are no growth; a quarter without an hour that has few of them is.
  createP95Ms: { about: "p95 ms of a create", factor: 1.5, plus: 30 },
  payP95Ms: { about: "p95 ms of a payment", factor: 1.5, plus: 50 },
};
/** Of memory, what is left after collections of garbage; of latencies, those of the least busy hour. */
const LEAST: ReadonlySet<keyof typeof BOUNDS> = new Set([
  "heapMb",
  "createMs",
  "payMs",
  "createP95Ms",
  "payP95Ms",
] as const);
/** A table grows in pages, and its indexes in steps. */
const TABLE_BOUND: Bound = { factor: 1.5, plus: 512 * 1_024 };

/** Asserts that the last quarter of a long run is like the first; returns the values of both. */
export function assertFlat(signs: readonly VitalSigns[]): Readonly<Record<string, number>> {
  const quarter = Math.floor(signs.length / 4);
  // Caches and pools fill up at first.
  const [first, last] = [signs.slice(1, 1 + quarter), signs.slice(-quarter)];
  const shown: Record<string, number> = {};
  const show = (about: string, before: number, after: number) => {
    shown[`${about}${FIRST_QUARTER}`] = Math.round(before * 10) / 10;
    shown[`${about}${LAST_QUARTER}`] = Math.round(after * 10) / 10;
  };
  for (const [name, { about, factor, plus }] of Object.entries(BOUNDS) as [
    keyof typeof BOUNDS,
    NamedBound,
  ][]) {
    const of = (some: readonly VitalSigns[]) =>
      LEAST.has(name) ? Math.min(...some.map((one) => one[name])) : median(some.map((one) => one[name]));
    const [before, after] = [of(first), of(last)];
    show(about, before, after);
    assert.ok(after <= before * factor + plus, `${name} grew from ${before} to ${after}`);
  }
  const growth = (some: readonly VitalSigns[], table: string) =>
    (some.at(-1)?.tables[table] ?? 0) - (some[0]?.tables[table] ?? 0);
  const tables = Object.entries(signs.at(-1)?.tables ?? {}).toSorted(([, one], [, other]) => other - one);
  const [largest = ""] = tables[0] ?? [];
  show("MB that the largest table grew by", growth(first, largest) / 1e6, growth(last, largest) / 1e6);
  for (const [table] of tables) {
    const [before, after] = [growth(first, table), growth(last, table)];
    assert.ok(
      after <= before * TABLE_BOUND.factor + TABLE_BOUND.plus,
      `${table} grew by ${before} bytes in the first quarter, by ${after} in the last`,
    );
  }
  return shown;
}
