import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import pg from "pg";
import { cloneDatabase, type TestDatabase } from "./database.ts";
import { startTestGateway, type TestGateway } from "./gateway.ts";
import { findViolations, type Reader } from "./invariants.ts";
import { TAKE_DOWN_THE_WALLS } from "./walls.ts";

/** The invariant that must be named, how it is broken, and the statement that breaks it. */
export type Plant<Made> = readonly [id: string, how: string, plant: (made: Made) => string];

export type PlantingGround<Made> = {
  readonly reader: Reader;
  readonly made: () => Made;
  /** In a transaction that never commits. */
  readonly within: (look: (client: pg.Client) => Promise<void>) => Promise<void>;
  /** The same with the database's own walls down and a violation planted. */
  readonly planted: (statement: string, look: () => Promise<void>) => Promise<void>;
};

/** A database with honest history, made by a gateway that has stopped since: there violations are planted. */
export function plantingGround<Made>(
  environment: Readonly<Record<string, string>>,
  make: (gateway: TestGateway) => Promise<Made>,
): PlantingGround<Made> {
  let database: TestDatabase;
  let client: pg.Client;
  let made: Made;

  before(async () => {
    database = await cloneDatabase();
    const gateway = await startTestGateway({ database, environment });
    try {
      made = await make(gateway);
    } finally {
      await gateway.stop();
    }
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  async function within(look: (client: pg.Client) => Promise<void>): Promise<void> {
    await client.query("begin");
    try {
      await look(client);
    } finally {
      await client.query("rollback");
    }
  }
  return {
    reader: { rows: async (text, values = []) => (await client.query(text, [...values])).rows },
    made: () => made,
    within,
    planted: (statement, look) =>
      within(async () => {
        await client.query(TAKE_DOWN_THE_WALLS);
        assert.notEqual((await client.query(statement)).rowCount, 0, "nothing was planted");
        await look();
      }),
  };
}

/** Each planted violation is named, and no rule is left that nothing broke. */
export function testPlants<Made>(
  { reader, made, planted }: PlantingGround<Made>,
  plants: readonly Plant<Made>[],
  rules: readonly string[],
): void {
  const fired = new Set<string>();
  for (const [id, how, plant] of plants) {
    test(`when ${how}, it names ${id}`, () =>
      planted(plant(made()), async () => {
        const violations = await findViolations(reader);
        for (const violation of violations) fired.add(violation.about);
        const named = violations.map((violation) => violation.id);
        assert.ok(named.includes(id), `named only ${named.join(", ") || "nothing"}`);
      }));
  }
  test("every rule was broken by something planted", () => {
    assert.deepEqual(
      rules.filter((about) => !fired.has(about)),
      [],
    );
  });
}
