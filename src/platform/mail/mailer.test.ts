import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createMailer, transportOptions } from "./mailer.ts";

describe("the mail server", () => {
  const options = (url: string) => transportOptions(new URL(url));

  test("has the usual ports, and those of the URL", () => {
    assert.deepEqual(options("smtp://mail.example"), { host: "mail.example", port: 587, secure: false });
    assert.deepEqual(options("smtps://mail.example"), { host: "mail.example", port: 465, secure: true });
    assert.deepEqual(options("smtp://[::1]:2525"), { host: "::1", port: 2525, secure: false });
  });

  test("gets credentials over TLS only, unless it is on this machine", () => {
    const auth = { user: "a@b", pass: "p/w" };
    assert.deepEqual(options("smtp://a%40b:p%2Fw@mail.example"), {
      host: "mail.example",
      port: 587,
      secure: false,
      auth,
      requireTLS: true,
    });
    for (const url of [
      "smtps://a%40b:p%2Fw@mail.example",
      "smtp://a%40b:p%2Fw@127.0.0.1",
      "smtp://a%40b:p%2Fw@localhost",
    ])
      assert.ok(!("requireTLS" in options(url)) && "auth" in options(url), url);
    assert.equal(options("smtp://u:p@127.evil.example")["requireTLS"], true);
  });

  test("without one there is no mailer", () => {
    assert.equal(createMailer({ smtpUrl: undefined, mailFrom: undefined }), undefined);
  });
});
