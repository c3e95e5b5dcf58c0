import assert from "node:assert/strict";
import pg from "pg";
import { parserFor, type Statement, type Tx } from "../../src/platform/db/database.ts";
import { gatherOne } from "../../src/platform/db/gather.ts";
import type { TestDatabase } from "./database.ts";
import { literals, PLAN_MODES } from "./plans.ts";

type Buffers = { readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number };

/**
 * The pages that the statements of some work touch, in the worse of the two plan modes. Unlike a time, the number does not
 * depend on what else the machine is doing. The work changes nothing: it is rolled back. `distributed`: with the statements of
 * distributed databases.
 */
export async function pagesTouched(
  database: Pick<TestDatabase, "url">,
  work: (tx: Tx) => Promise<unknown>,
  distributed = false,
): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const counts: number[] = [];
    for (const mode of PLAN_MODES) {
      await client.query(`set plan_cache_mode = ${mode}`);
      await client.query("begin");
      counts.push(await measure(client, work, distributed));
      await client.query("rollback");
    }
    return Math.max(...counts);
  } finally {
    await client.end();
  }
}

async function measure(
  client: pg.Client,
  work: (tx: Tx) => Promise<unknown>,
  distributed: boolean,
): Promise<number> {
  let pages = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const measureOne = async <Row>(statement: Statement, parameters: readonly unknown[]) => {
    const text = (distributed && statement.distributed) || statement.text;
    await client.query("savepoint measured");
    await client.query(`prepare measured as ${text}`);
    const values = parameters.length === 0 ? "" : `(${literals(client, parameters)})`;
    const { rows } = await client.query(
      `explain (analyze, buffers, timing off, format json) execute measured ${values}`,
    );
    const plan: Buffers = rows[0]["QUERY PLAN"][0].Plan;
    pages += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
    await client.query("rollback to savepoint measured");
    await client.query("deallocate measured");
    const types = { getTypeParser: parserFor };
    return (await client.query({ text, values: [...parameters], types })).rows as Row[];
  };
  // One after the other, although the work may run several at once.
  const rows = <Row>(statement: Statement, parameters: readonly unknown[]) => {
    const mine = turn.then(() => measureOne<Row>(statement, parameters));
    turn = mine.catch(() => {});
    return mine;
  };
  await work({ isDistributed: async () => distributed, rows, gather: gatherOne(rows) });
  return pages;
}

/** Whether the work touches about as many pages in the large table as in the small one. Trees grow by a level or two. */
export function isFlat(small: number, large: number): boolean {
  return large <= 2 * small + 40;
}

/** Fails when the work touches many more pages in the large table than in the small one. */
export function assertFlat(small: number, large: number, what: string): void {
  assert.ok(isFlat(small, large), `${what}: ${small} pages in the small table, ${large} in the large one`);
}
