import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SettingProblem } from "./setting.ts";
import { readSettings } from "./settings.ts";

function problemOf(environment: Readonly<Record<string, string>>): string {
  try {
    readSettings(environment);
  } catch (error) {
    assert.ok(error instanceof SettingProblem);
    return error.message;
  }
  return assert.fail("the settings were taken");
}

describe("contract 3: settings of receipts", () => {
  test("a mail server and its sender come together", () => {
    for (const url of ["smtp://localhost:2525", "smtps://user:p%40ss@mail.example", "smtp://[::1]/"])
      for (const from of ["pay@shop.example", "Corner Shop <pay@shop.example>"]) {
        const { smtpUrl, mailFrom } = readSettings({ TIDEGATE_SMTP_URL: url, TIDEGATE_MAIL_FROM: from });
        assert.deepEqual([smtpUrl, mailFrom], [url, from]);
      }
    assert.match(
      problemOf({ TIDEGATE_SMTP_URL: "smtp://a" }),
      /^TIDEGATE_MAIL_FROM is missing .*; allowed: /,
    );
    assert.match(problemOf({ TIDEGATE_MAIL_FROM: "a@b.c" }), /^TIDEGATE_SMTP_URL is missing .*; allowed: /);
  });

  test("refuses any other URL in one line, without its password", () => {
    for (const TIDEGATE_SMTP_URL of [
      "mail.example",
      "http://mail.example",
      "smtp:mail.example",
      "smtp://",
      "smtp:///x",
      "smtp://mail.example/path",
      "smtp://mail.example?pool=true",
      "smtp://mail.example:0",
      "smtp://mail.example:65536",
      "smtp://:secret@mail.example",
      "smtp://user:sec/ret@mail.example",
      "smtps://user:50%secret@mail.example",
    ]) {
      const message = problemOf({ TIDEGATE_SMTP_URL, TIDEGATE_MAIL_FROM: "pay@shop.example" });
      assert.match(message, /^TIDEGATE_SMTP_URL .*; allowed: [^\n]+$/);
      assert.doesNotMatch(message, /secret|sec\/ret/);
    }
  });

  test("refuses any other sender", () => {
    for (const TIDEGATE_MAIL_FROM of [
      "shop",
      "@shop.example",
      "a@b@c",
      "Shop pay@shop.example",
      "Shop <pay>",
      "a\n <pay@shop.example>",
    ]) {
      const message = problemOf({ TIDEGATE_SMTP_URL: "smtp://mail.example", TIDEGATE_MAIL_FROM });
      assert.match(message, /^TIDEGATE_MAIL_FROM is not an e-mail address; allowed: /);
    }
  });
});
