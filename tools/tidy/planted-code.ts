import { file, type Plants, placing, writing } from "./plant.ts";

const SCHEMA = file("migrations/schema.sql", "create table merchants (\n);\ncreate table vault_keys (\n);\n");

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
    placing(
      "sql-place",
      'sql("x", "delete from dashboard_links");',
      "src/dashboard/sign-in/pages.ts",
      "src/dashboard/sign-in/invitations/queries.ts",
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
  "the platform uses no table of a feature": [
    ...[
      "select mode from merchants where id = $1",
      "update  merchants set a = 1",
      "select 1 from a join merchants",
    ].map((statement) => ({
      ...writing(
        "feature-table",
        "src/platform/vault/queries.ts",
        `sql("a", "${statement}");`,
        `sql("a", "${statement.replace("merchants", "vault_keys")}"); // from merchants`,
      ),
      beside: [SCHEMA],
    })),
    {
      ...placing(
        "feature-table",
        "sql(`delete from merchants where id = ${id}`);",
        "src/platform/db/rows.ts",
        "src/features/merchants/queries.ts",
      ),
      beside: [SCHEMA],
    },
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
    placing(
      "clock",
      "Date.now();",
      "src/dashboard/sign-in/sign-in.ts",
      "src/dashboard/sign-in/sign-in.test.ts",
    ),
    placing("clock", "performance.now();", "src/features/refunds/settle.ts", "src/platform/log/timing.ts"),
  ],
  "secrets are compared in constant time": [
    writing(
      "secret-comparison",
      "src/features/webhooks/send.ts",
      "const a = mac.equals(other);",
      "const a = sameBytes(mac, other);",
    ),
    placing(
      "secret-comparison",
      "const a = Buffer.compare(one, two) === 0;",
      "src/platform/crypto/secrets.ts",
      "src/platform/images/raster.ts",
    ),
  ],
  "a comment stands before what it describes": [
    writing(
      "stray-comment",
      "src/kernel/money.ts",
      "/**\n * Of a. */\n/** Of b. */\nconst b = 1;",
      "/** Of the file. */\n\n/** Of a. */\nconst a = 1;\n/** Of b. */\nconst b = 1;",
    ),
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
