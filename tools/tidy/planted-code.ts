import { type Plants, placing, writing } from "./plant.ts";

export const PLANTED_CODE: Plants = {
  "SQL lives in queries.ts": [
    ...[
      "select * from refunds",
      "SELECT id FROM refunds",
      "\\n  insert into refunds values ($1)",
      "delete from refunds",
    ].map((sql) =>
      placing(
        "sql-place",
        `run("${sql}");`,
        "src/features/refunds/settle.ts",
        "src/features/refunds/queries.ts",
      ),
    ),
    placing("sql-place", "sql`update ${t} set a = 1`;", "src/app/main.ts", "src/platform/jobs/claim.ts"),
    placing(
      "sql-place",
      "q(`with due as (select 1) select * from due`);",
      "src/cli/main.ts",
      "src/platform/db/pool.ts",
    ),
    placing("sql-place", 'q("select 1");', "src/platform/http/health.ts", "src/platform/outbox/claim.ts"),
    writing(
      "sql-place",
      "src/cli/main.ts",
      'q("select id, " + more);',
      'say("Select a card from the list"); // select 1',
    ),
    writing(
      "sql-place",
      "src/cli/main.ts",
      'q("update cards set x = 1");',
      'say("update the card, with care as (ever)");',
    ),
  ],
  "time is passed in": [
    writing(
      "clock",
      "src/kernel/time.ts",
      "const now = Date.now();",
      "const now = clock.now(); // Date.now()",
    ),
    writing(
      "clock",
      "src/features/refunds/refund.ts",
      "const now = new Date( );",
      "const then = new Date(millis);",
    ),
    writing(
      "clock",
      "src/features/refunds/refund.ts",
      "const now = new Date;",
      'const now = new Date("2026-01-01");',
    ),
    placing("clock", "performance.now();", "src/features/refunds/settle.ts", "src/platform/log/timing.ts"),
  ],
  "no test is left out": [
    writing("skipped-test", "tests/spec/a.test.ts", 'test.todo("a");', 'test("todo", run);'),
    writing(
      "skipped-test",
      "tests/spec/a.test.ts",
      'test("a", { skip: true }, run);',
      'test("a", { skip: false }, run);',
    ),
    placing("skipped-test", "const a = { only: true };", "src/app/a.test.ts", "src/app/a.ts"),
  ],
};
