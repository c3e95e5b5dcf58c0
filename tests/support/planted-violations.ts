import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import pg from "pg";
import { cloneDatabase, type TestDatabase } from "./database.ts";
import { DROP_CONSTRAINTS } from "./drop-constraints.ts";
import { startTestGateway, type TestGateway } from "./gateway.ts";
import { findViolations, type Reader } from "./invariants.ts";

/** The invariant that must be reported, how it is broken, and the statement that breaks it. */
export type PlantedViolation<Made> = readonly [id: string, how: string, plant: (made: Made) => string];

/** The rule that must report it, what is unsettled, and the statement that makes it so. */
export type UnsettledState<Made> = readonly [rule: string, how: string, plant: (made: Made) => string];

export type ViolationFixture<Made> = {
  readonly reader: Reader;
  readonly made: () => Made;
  /** Runs a check in a transaction that is rolled back. */
  readonly within: (check: (client: pg.Client) => Promise<void>) => Promise<void>;
  /** The same, with the database's constraints dropped and a violation planted. */
  readonly planted: (statement: string, check: () => Promise<void>) => Promise<void>;
};

/** A database with a valid history, made by a gateway that has stopped since. Tests plant violations in it. */
export function violationFixture<Made>(
  environment: Readonly<Record<string, string>>,
  make: (gateway: TestGateway) => Promise<Made>,
): ViolationFixture<Made> {
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

  async function within(check: (client: pg.Client) => Promise<void>): Promise<void> {
    await client.query("begin");
    try {
      await check(client);
    } finally {
      await client.query("rollback");
    }
  }
  return {
    reader: { rows: async (text, values = []) => (await client.query(text, [...values])).rows },
    made: () => made,
    within,
    planted: (statement, check) =>
      within(async () => {
        await client.query(DROP_CONSTRAINTS);
        assert.notEqual((await client.query(statement)).rowCount, 0, "nothing was planted");
        await check();
      }),
  };
}

/** Proves that each planted violation is reported, and that every rule has one. */
export function testPlantedViolations<Made>(
  { reader, made, planted }: ViolationFixture<Made>,
  plants: readonly PlantedViolation<Made>[],
  rules: readonly string[],
): void {
  const fired = new Set<string>();
  for (const [id, how, plant] of plants) {
    test(`reports ${id} when ${how}`, () =>
      planted(plant(made()), async () => {
        const violations = await findViolations(reader);
        for (const violation of violations) fired.add(violation.about);
        const reported = violations.map((violation) => violation.id);
        assert.ok(reported.includes(id), `reported only ${reported.join(", ") || "nothing"}`);
      }));
  }
  test("every rule reports a planted violation", () => {
    assert.deepEqual(
      rules.filter((about) => !fired.has(about)),
      [],
    );
  });
}
