import assert from "node:assert/strict";
import { describe, test } from "node:test";
import pg from "pg";
import { eventually } from "../../../tests/support/eventually.ts";
import { connectionString } from "./connection-string.ts";
import { openDatabase, sql } from "./database.ts";

describe("how a URL asks for TLS", () => {
  for (const [given, taken] of [
    ["?sslmode=require", "?sslmode=verify-full"],
    ["?sslmode=prefer&connect_timeout=7", "?sslmode=verify-full&connect_timeout=7"],
    ["?connect_timeout=7&sslmode=verify-ca", "?connect_timeout=7&sslmode=verify-full"],
    ["?sslmode=no-verify", "?sslmode=no-verify"],
    ["?sslmode=disable", "?sslmode=disable"],
    ["?uselibpqcompat=true&sslmode=require", "?uselibpqcompat=true&sslmode=require"],
    ["", ""],
  ] as const)
    test(`"${given}" is "${taken}"`, () => {
      assert.equal(connectionString(`postgres://a@b/c${given}`), `postgres://a@b/c${taken}`);
    });

  test("a gateway's connection prints no warning of node-postgres, which a plain one does", async () => {
    const url = "postgres://a@127.0.0.1:1/c?sslmode=require";
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => warnings.push(message);
    process.on("warning", onWarning);
    const closed = openDatabase({ url, poolSize: 1, preparedStatements: true, onIdleError: () => {} });
    await assert.rejects(closed.rows(sql("one", "select 1"), []));
    await closed.close();
    assert.deepEqual(warnings, []);
    new pg.Client({ connectionString: url });
    await eventually("it warns", async () => warnings.length > 0);
    process.off("warning", onWarning);
    assert.match(warnings[0] ?? "", /SSL modes/);
  });
});
