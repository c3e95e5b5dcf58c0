import { lines, type Plants, placing, writing } from "./plant.ts";

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
  "plain modules": [
    placing("length", lines(301), "src/app/main.ts", "bench/peers/main.ts"),
    writing("length", "browser/ui/form.tsx", lines(301), lines(300)),
    writing(
      "default-export",
      "src/app/main.ts",
      "export default function main() {}",
      "export function main() {}",
    ),
    writing(
      "default-export",
      "src/app/main.ts",
      "export { main as default };",
      'const a = "export default";',
    ),
    writing(
      "export-all",
      "src/app/index.ts",
      'export * from "./main.ts";',
      'export { main } from "./main.ts";',
    ),
    writing(
      "export-all",
      "src/app/index.ts",
      'export * as main from "./main.ts";',
      "export const a = b * c;",
    ),
    writing(
      "enum",
      "src/app/main.ts",
      "export const enum Role { Api }",
      'const enumerated = { enum: ["a"] }; // enum A {',
    ),
  ],
  "nothing is left unfinished": [
    writing("unfinished", "tests/spec/a.test.ts", 'test.only("a", run);', 'test("only(", run);'),
    writing("unfinished", "tests/spec/a.test.ts", 'describe.skip("a", run);', 'describe("a", skip);'),
    writing(
      "unfinished",
      "tests/spec/a.test.ts",
      'test("a", { skip: true }, run);',
      'test("a", { skip: false }, run);',
    ),
    writing(
      "unfinished",
      "src/app/main.ts",
      "a;\n/* later\n * TODO */",
      'const mask = "XXX-XXX"; // a todo list',
    ),
    writing("unfinished", "browser/ui/form.css", "/* FIXME */", "/* fixed */"),
    placing("unfinished", "// XXX", "packages/client/client.ts", "tools/docs.ts"),
  ],
};
