import assert from "node:assert/strict";
import { test } from "node:test";
import { splitChanges, splitStatements } from "./split-statements.ts";

test("a migration is split at the semicolons between statements, and at no other", () => {
  const body = "create function f() returns void language sql as $$ select 1; select ';' $$";
  const tagged = "do $do$ begin perform $$;$$; end $do$";
  const quoted = `insert into t values ('a;''b;', ";")`;
  assert.deepEqual(
    splitStatements(
      `-- First; of all.\n${body};\n\n${tagged} ; /* a; b */ ${quoted};\nselect 2 -- the end;\n`,
    ),
    [body, tagged, quoted, "select 2"],
  );
});

test("a migration without a statement has none", () => {
  assert.deepEqual(splitStatements("-- Nothing;\n;\n"), []);
});

test("in a distributed database each change of a table is a statement of its own", () => {
  assert.deepEqual(
    splitChanges(
      `alter table t
         drop constraint if exists c,
         add constraint c check (a in ('x, y', 'z')) not valid;
       select 1, 2; alter table u validate constraint d`,
    ),
    [
      "alter table t drop constraint if exists c",
      "alter table t add constraint c check (a in ('x, y', 'z')) not valid",
      "select 1, 2",
      "alter table u validate constraint d",
    ],
  );
});
