import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { makeLink } from "../../../src/features/dashboard-users/index.ts";
import { beginTry, endTry } from "../../../src/features/dashboard-users/tries/limit-tries.ts";
import type { Id } from "../../../src/kernel/ids.ts";
import { Refusal } from "../../../src/kernel/refusal.ts";
import { DAY, HOUR, type Instant, instant, MINUTE, SECOND } from "../../../src/kernel/time.ts";
import type { Context } from "../../../src/platform/context.ts";
import { totpCodeAt } from "../../../src/platform/crypto/totp.ts";
import { formFields, newVisitor, signedIn, type Visitor } from "../../support/dashboard.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { inContext } from "../../support/operator.ts";

const EMAIL = "ops@gateway.example";
const PASSWORD = "a harbour in the morning";

describe("dashboard: who gets in", () => {
  let gateway: TestGateway;
  let ahead = 0;
  const now = (): Instant => instant(Date.now() + ahead);
  const asOperator = <Result>(work: (ctx: Context) => Promise<Result>) =>
    inContext(gateway.database, work, { now });
  const newLink = () => asOperator((ctx) => ctx.db.transaction((tx) => makeLink(ctx, tx, null)));
  before(async () => {
    gateway = await startTestGateway({ now });
  });
  after(() => gateway.stop());

  const signIn = async (password = PASSWORD): Promise<readonly [Visitor, string]> => {
    const visitor = newVisitor(gateway.baseUrl);
    await visitor.get("/dashboard/signin");
    const { goTo } = await visitor.submit("/dashboard/signin", { email: EMAIL, password });
    return [visitor, goTo];
  };

  test("a one-time link makes the first operator and works once; a password that is too easy is refused", async () => {
    const link = await newLink();
    const visitor = newVisitor(gateway.baseUrl);
    assert.equal((await visitor.get("/dashboard")).goTo, "/dashboard/signin?next=%2Fdashboard");
    await visitor.get("/dashboard/welcome");
    assert.equal((await visitor.submit("/dashboard/welcome", { link })).status, 200);
    const given = { email: "Ops@Gateway.example", name: "Aroha Ngata Ruru", password: PASSWORD };
    for (const password of ["eleven char", EMAIL, "aroha ngata ruru", "x".repeat(257)]) {
      const refused = await visitor.submit("/dashboard/welcome/finish", { ...given, password });
      assert.equal(refused.status, 400, password);
      assert.match(refused.text, /id="p-password">12 to 256 characters/);
      assert.doesNotMatch(refused.text, new RegExp(`value="${password}"[^>]*type="password"`));
    }
    const made = await visitor.submit("/dashboard/welcome/finish", { ...given, password: PASSWORD });
    assert.equal(made.goTo, "/dashboard");
    assert.equal((await visitor.follow(made)).status, 200);

    const other = newVisitor(gateway.baseUrl);
    await other.get("/dashboard/welcome");
    assert.equal((await other.submit("/dashboard/welcome", { link })).status, 404, "the link is used up");
    const [row] = await gateway.database.rows<{ password_hash: string }>(
      "select password_hash from dashboard_users",
    );
    assert.match(row?.password_hash ?? "", /^scrypt\$131072\$8\$1\$/);
  });

  test("a link ends after 24 hours, and a new one takes the place of the one before", async () => {
    const look = async (link: string) => {
      const visitor = newVisitor(gateway.baseUrl);
      await visitor.get("/dashboard/welcome");
      return (await visitor.submit("/dashboard/welcome", { link })).status;
    };
    const first = await newLink();
    const second = await newLink();
    assert.equal(await look(first), 404);
    ahead += DAY - 2 * MINUTE;
    assert.equal(await look(second), 200);
    ahead += 2 * MINUTE;
    assert.equal(await look(second), 404);
  });

  test("the right password opens; a wrong one and an unknown user get one and the same answer", async () => {
    const visitor = newVisitor(gateway.baseUrl);
    await visitor.get("/dashboard/signin?next=/dashboard/users");
    const before = visitor.cookies.get("tidegate_session");
    const words = async (email: string) => {
      const answer = await visitor.submit("/dashboard/signin", { email, password: "something else" });
      assert.equal(answer.status, 401);
      return /role="alert">([^<]+)</.exec(answer.text)?.[1];
    };
    assert.equal(await words(EMAIL), await words("nobody@gateway.example"));
    assert.equal(
      await words(EMAIL),
      await words("nobody\0@gateway.example"),
      "nor does a NUL break anything",
    );
    const right = await visitor.submit("/dashboard/signin", {
      email: " OPS@gateway.example",
      password: PASSWORD,
    });
    assert.equal(right.goTo, "/dashboard/users");
    assert.match(
      right.headers.getSetCookie().join(),
      /tidegate_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/,
    );
    assert.notEqual(visitor.cookies.get("tidegate_session"), before, "a new secret at sign-in");
    for (const next of [
      "https://elsewhere.example",
      "//elsewhere.example",
      "/\\elsewhere.example",
      "/docs",
    ]) {
      const page = await newVisitor(gateway.baseUrl).get(
        `/dashboard/signin?next=${encodeURIComponent(next)}`,
      );
      assert.equal(formFields(page.text, "/dashboard/signin")["next"], "/dashboard", next);
    }
  });

  test("tries are limited by account and by network, each on both sides of its limit, and wait twice as long each time", async () => {
    const taken = (account: string, address: string) =>
      asOperator((ctx) => beginTry(ctx, { account, address }).then(() => true, refusedAsFalse));
    for (let tries = 0; tries < 5; tries += 1) assert.equal(await taken("someone", `192.0.2.${tries}`), true);
    assert.equal(await taken("someone", "192.0.2.99"), false, "the sixth has to wait");
    assert.equal(await taken("another", "192.0.2.99"), true, "the twin: another account does not");
    ahead += 30 * SECOND;
    assert.equal(await taken("someone", "192.0.2.99"), true);
    ahead += 59 * SECOND;
    assert.equal(await taken("someone", "192.0.2.99"), false);
    ahead += SECOND;
    assert.equal(await taken("someone", "192.0.2.99"), true);
    await asOperator((ctx) => endTry(ctx, { account: "someone", address: "192.0.2.99" }));
    assert.equal(await taken("someone", "192.0.2.98"), true, "a success begins anew");

    for (let tries = 0; tries < 30; tries += 1)
      assert.equal(await taken(`user ${tries}`, "2001:db8::1"), true);
    assert.equal(await taken("user 30", "2001:db8::2"), false, "the same network of 64 bits");
    assert.equal(await taken("user 30", "2001:db8:0:1::2"), true);
    for (let tries = 0; tries < 6; tries += 1) assert.equal(await taken("user 31", "2001:db8::3"), false);
    assert.equal(await taken("user 31", "192.0.2.98"), true, "a blocked network can't block an account");

    for (let tries = 0; tries < 6; tries += 1) await taken("blocked@gateway.example", `198.51.100.${tries}`);
    const visitor = newVisitor(gateway.baseUrl);
    await visitor.get("/dashboard/signin");
    const answer = await visitor.submit("/dashboard/signin", {
      email: "blocked@gateway.example",
      password: PASSWORD,
    });
    assert.equal(answer.status, 429);
    assert.match(answer.text, /Too many tries\. Try again in (?:[12]?\d|30) seconds?\./);
  });

  test("a session ends after half an hour without use, after twelve hours with, and at sign-out", async () => {
    const inside = async (visitor: Visitor) => (await visitor.get("/dashboard/account")).status === 200;
    const idle = await signedIn(gateway, { role: "operator" }, now);
    ahead += 30 * MINUTE - 5 * SECOND;
    assert.equal(await inside(idle), true);
    ahead += 30 * MINUTE + SECOND;
    assert.equal(await inside(idle), false);

    const busy = await signedIn(gateway, { role: "operator" }, now);
    for (let used = 0; used < 12 * HOUR - 25 * MINUTE; used += 25 * MINUTE) {
      ahead += 25 * MINUTE;
      assert.equal(await inside(busy), true);
    }
    ahead += 25 * MINUTE;
    assert.equal(await inside(busy), false);

    const leaving = await signedIn(gateway, { role: "operator" }, now);
    const kept = leaving.cookies.get("tidegate_session") ?? "";
    await leaving.get("/dashboard/account");
    assert.equal((await leaving.submit("/dashboard/signout")).goTo, "/dashboard/signin");
    leaving.cookies.set("tidegate_session", kept);
    assert.equal(await inside(leaving), false, "the secret is worth nothing any more");
    const headers = { origin: gateway.baseUrl, referer: `${gateway.baseUrl}/dashboard/users?a=b` };
    const late = await leaving.post("/dashboard/users/invite", { name: "Too late" }, headers);
    assert.equal(late.goTo, "/dashboard/signin?next=%2Fdashboard%2Fusers%3Fa%3Db");
    assert.match((await leaving.follow(late)).text, /session has ended, so nothing was done/);
  });

  test("a post is taken from our own page only: with its token, and not from elsewhere", async () => {
    const visitor = await signedIn(gateway, { role: "operator" }, now);
    const page = await visitor.get("/dashboard/account");
    const { token = "" } = formFields(page.text, "/dashboard/signout");
    const here = { origin: gateway.baseUrl };
    const end = (fields: Record<string, string>, headers: Record<string, string>) =>
      visitor.post("/dashboard/account/sessions/end", fields, headers).then(({ status }) => status);
    assert.equal(await end({}, here), 403, "no token");
    assert.equal(await end({ token: `${token.slice(0, -1)}x` }, here), 403, "another token");
    assert.equal(await end({ token }, { origin: "https://elsewhere.example" }), 403);
    assert.equal(await end({ token }, { ...here, "sec-fetch-site": "cross-site" }), 403);
    assert.equal(await end({ token }, { ...here, "sec-fetch-site": "same-site" }), 403);
    assert.equal(await end({ token }, { origin: "null" }), 403);
    assert.equal(await end({ token }, {}), 403);
    assert.equal(await end({ token }, here), 303);
    assert.equal(await end({ token }, { origin: "null", "sec-fetch-site": "same-origin" }), 303);
    const other = await signedIn(gateway, { role: "operator" }, now);
    assert.equal((await other.post("/dashboard/account/sessions/end", { token }, here)).status, 403);
    const door = newVisitor(gateway.baseUrl);
    await door.get("/dashboard/signin");
    const fields = { email: EMAIL, password: PASSWORD };
    assert.equal((await door.post("/dashboard/signin", fields, here)).status, 403, "nor at the door");
  });

  test("a second factor: set up by a code, asked for at sign-in, each code works once, recovery codes too", async () => {
    const [visitor] = await signIn();
    const secretIn = ({ text }: { readonly text: string }) =>
      (/data-copy="the secret">([A-Z2-7 ]+)</.exec(text)?.[1] ?? "").replaceAll(" ", "");
    const earlier = secretIn(await visitor.get("/dashboard/account/second-factor"));
    const setup = await visitor.get("/dashboard/account/second-factor");
    const secret = secretIn(setup);
    assert.match(secret, /^[A-Z2-7]{32}$/);
    assert.notEqual(secret, earlier, "a fresh one on each visit");
    assert.match(setup.text, /<svg class="qr"/);
    const late = totpCodeAt(earlier, now());
    const refused = await visitor.submit("/dashboard/account/second-factor", { code: late });
    assert.equal(refused.status, 401, "the earlier one is worth nothing");
    assert.match(refused.text, /id="p-code">This code doesn&#39;t fit[^<]*scan the picture again/);
    assert.equal(secretIn(refused), secret, "a mistyped code leaves it: the app has it already");
    const used = totpCodeAt(secret, now());
    const codes = await visitor.submit("/dashboard/account/second-factor", { code: used });
    const recovery = [...codes.text.matchAll(/<li><code>([\w-]{14})</g)].map(([, code = ""]) => code);
    assert.equal(recovery.length, 10);

    ahead += 60 * SECOND;
    const [half, goTo] = await signIn();
    assert.match(goTo, /^\/dashboard\/second-factor/);
    assert.match(
      (await half.get("/dashboard/account")).goTo,
      /^\/dashboard\/second-factor/,
      "nothing is open yet",
    );
    const waiting = half.cookies.get("tidegate_session");
    const page = await half.get("/dashboard/second-factor");
    assert.equal(page.status, 200);
    const code = totpCodeAt(secret, now());
    assert.equal((await half.submit("/dashboard/second-factor", { code: used })).status, 401, "an old code");
    const done = await half.submit("/dashboard/second-factor", { code });
    assert.equal(done.goTo, "/dashboard");
    assert.notEqual(half.cookies.get("tidegate_session"), waiting, "a new secret after the second factor");
    assert.equal((await half.get("/dashboard/account")).status, 200);

    const [replay] = await signIn();
    await replay.get("/dashboard/second-factor");
    assert.equal(
      (await replay.submit("/dashboard/second-factor", { code })).status,
      401,
      "a code works once",
    );
    const first = recovery[0] ?? "";
    const saved = await replay.submit("/dashboard/second-factor", { code: first });
    assert.equal(saved.goTo, "/dashboard");
    await replay.get("/dashboard/account");
    const off = "/dashboard/account/second-factor/remove";
    assert.equal((await replay.submit(off, { code: first })).status, 401, "so does a recovery code");
    for (let tries = 1; tries < 5; tries += 1)
      assert.equal((await replay.submit(off, { code: "000000" })).status, 401);
    const waits = await replay.submit(off, { code: recovery[1] ?? "" });
    assert.equal(waits.status, 429, "nobody guesses a code to take the factor away");
    assert.match(waits.text, /id="p-code"/);
    ahead += 30 * SECOND;
    assert.equal((await replay.submit(off, { code: recovery[1] ?? "" })).status, 303);
  });

  test("a new password needs the old one and ends every other session; all of it is on record", async () => {
    const [visitor] = await signIn();
    const [other] = await signIn();
    await visitor.get("/dashboard/account");
    const at = "/dashboard/account/password";
    const password = "another harbour at night";
    assert.equal((await visitor.submit(at, { current: "not the old one", password })).status, 401);
    const [row] = await gateway.database.rows<{ id: Id<"user"> }>(
      `select id from dashboard_users where email = '${EMAIL}'`,
    );
    assert.ok(row);
    const own = { id: row.id, merchantId: null };
    const link = await asOperator((ctx) => ctx.db.transaction((tx) => makeLink(ctx, tx, own)));
    const look = async () => {
      const holder = newVisitor(gateway.baseUrl);
      await holder.get("/dashboard/welcome");
      return (await holder.submit("/dashboard/welcome", { link })).status;
    };
    assert.equal(await look(), 200);
    await other.get("/dashboard/account/second-factor");
    const begun = async () =>
      (
        await gateway.database.rows("select from dashboard_users where id = $1 and sealed_totp is not null", [
          row.id,
        ])
      ).length;
    assert.equal(await begun(), 1);
    assert.equal((await visitor.submit(at, { current: PASSWORD, password })).status, 303);
    assert.equal(await look(), 404, "a link from before opens nothing any more");
    assert.equal(await begun(), 0, "nor is a second factor kept that was never confirmed");
    assert.equal((await visitor.get("/dashboard/account")).status, 200);
    assert.match((await other.get("/dashboard/account")).goTo, /signin/);
    const acts = await gateway.database.rows<{ act: string }>("select distinct act from audit_log");
    const seen = new Set(acts.map(({ act }) => act));
    for (const act of [
      "user_made",
      "user_link_made",
      "user_link_used",
      "user_signed_in",
      "user_sign_in_failed",
    ])
      assert.ok(seen.has(act), act);
    for (const act of [
      "user_second_factor_on",
      "user_second_factor_off",
      "user_password_changed",
      "user_acted",
    ])
      assert.ok(seen.has(act), act);
  });
});

function refusedAsFalse(error: unknown): boolean {
  assert.ok(error instanceof Refusal && error.status === 429);
  return false;
}
