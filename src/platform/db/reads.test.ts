import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Database, sql, type Tx } from "./database.ts";
import { gatherOne } from "./gather.ts";
import { createReads } from "./reads.ts";
import { type Position, reaches } from "./replica-position.ts";

const WANTED: Position = { timeline: 3, bytes: 1_000 };

describe("a replica has reached a place in the write-ahead log", () => {
  const cases: readonly (readonly [what: string, replayed: Position | undefined, has: boolean])[] = [
    ["when it has replayed as much", { timeline: 3, bytes: 1_000 }, true],
    ["when it has replayed more", { timeline: 3, bytes: 1_001 }, true],
    ["not when it has replayed less", { timeline: 3, bytes: 999 }, false],
    ["not when it has said nothing", undefined, false],
    ["never on an earlier timeline, however far", { timeline: 2, bytes: 1e15 }, false],
    ["not at the same place of an earlier timeline", { timeline: 2, bytes: 1_000 }, false],
    ["never on a later timeline, however far", { timeline: 4, bytes: 1e15 }, false],
  ];
  for (const [what, replayed, has] of cases) test(what, () => assert.equal(reaches(replayed, WANTED), has));
});

describe("reads from a replica", () => {
  const LIST = sql("reads_test_list", "select 1");

  /** A server that says where it is, and otherwise its name. */
  const serverAt = (name: string, positionOf: () => Position | undefined): Tx => {
    const rows = async <Row>({ name: statement }: { readonly name: string }) => {
      const position = positionOf();
      const answer = /^replica_.*position$/.test(statement) ? position : { name };
      return (answer === undefined ? [] : [answer]) as readonly unknown[] as readonly Row[];
    };
    return { rows, gather: gatherOne(rows) };
  };

  /** Where a list is answered, and what is said of the replica then. */
  async function listWith(primary: Position, replica: () => Position | undefined) {
    const changes: string[] = [];
    const reads = createReads(
      serverAt("primary", () => primary),
      {
        open: () => ({ ...serverAt("replica", replica), close: async () => {} }) as unknown as Database,
        stalenessMs: 50,
        onChange: (state) => changes.push(state),
      },
    );
    const list = async () => (await reads.rows<{ name: string }>(LIST, []))[0]?.name;
    return { list, changes };
  }

  test("are answered by one that is on the primary's timeline and has as much", async () => {
    const { list, changes } = await listWith(WANTED, () => WANTED);
    assert.equal(await list(), "replica");
    assert.deepEqual(changes, []);
  });

  for (const timeline of [2, 4])
    test(`are never answered by one on timeline ${timeline} instead of 3, although it is further`, async () => {
      const { list, changes } = await listWith(WANTED, () => ({ timeline, bytes: 2_000 }));
      assert.equal(await list(), "primary");
      assert.deepEqual(changes, ["away"]);
    });

  test("are answered by the primary as soon as it begins another timeline", async () => {
    const primary = { ...WANTED };
    const { list, changes } = await listWith(primary, () => ({ timeline: 3, bytes: 2_000 }));
    assert.equal(await list(), "replica");
    primary.timeline = 4;
    assert.equal(await list(), "primary");
    assert.deepEqual(changes, ["away"]);
  });
});
