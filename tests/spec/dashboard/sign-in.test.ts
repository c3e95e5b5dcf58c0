import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createLink } from "../../../src/dashboard/access/invitations/link.ts";
import { type Attempt, clearAttempts, throttle } from "../../../src/dashboard/access/throttling/throttle.ts";
import type { Id } from "../../../src/kernel/ids.ts";
import { Refusal } from "../../../src/kernel/refusal.ts";
import { DAY, HOUR, type Instant, instant, MINUTE, SECOND } from "../../../src/kernel/time.ts";
import type { Context } from "../../../src/platform/context.ts";
import { totpCodeAt } from "../../support/authenticator.ts";
import { formFields, newVisitor, setPasswords, signedIn, type Visitor } from "../../support/dashboard.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { inContext } from "../../support/operator.ts";

const EMAIL = "ops@gateway.example";
const PASSWORD = "a harbour in the morning";

describe("dashboard: sign-in", () => {
  let gateway: TestGateway;
  let ahead = 0;
  let stoppedAt: number | undefined;
  const now = (): Instant => instant((stoppedAt ?? Date.now()) + ahead);
  const asOperator = <Result>(work: (ctx: Context) => Promise<Result>) =>
    inContext(gateway.database, work, { now });
  const newLink = () => asOperator((ctx) => ctx.db.transaction((tx) => createLink(ctx, tx, null)));
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

  test("a one-time link creates the first operator and works once; a weak password is refused", async () => {
    const link = await newLink();
    const visitor = newVisitor(gateway.baseUrl);
    assert.equal((await visitor.get("/dashboard")).goTo, "/dashboard/signin?next=%2Fdashboard");
    await visitor.get("/dashboard/welcome");
    assert.equal((await visitor.submit("/dashboard/welcome", { link })).status, 200);
    const given = { email: "Ops@Gateway.example", name: "Aroha Ngata Ruru", password: PASSWORD };
    for (const password of ["eleven char", EMAIL, "aroha ngata ruru", "x".repeat(257)]) {
      const refused = await visitor.submit("/dashboard/welcome/finish", { ...given, password });
      assert.equal(refused.status, 400, password);
      assert.match(refused.text, /id="p-password">Choose 12 to 256 characters/);
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
    await setPasswords(gateway.database, EMAIL, PASSWORD);
  });

  test("a link expires after 24 hours, and a new link replaces the earlier one", async () => {
    const open = async (link: string) => {
      const visitor = newVisitor(gateway.baseUrl);
      await visitor.get("/dashboard/welcome");
      return (await visitor.submit("/dashboard/welcome", { link })).status;
    };
    const first = await newLink();
    const second = await newLink();
    assert.equal(await open(first), 404);
    ahead += DAY - 2 * MINUTE;
    assert.equal(await open(second), 200);
    ahead += 2 * MINUTE;
    assert.equal(await open(second), 404);
  });

  test("the right password signs in; a wrong password and an unknown user get the same response", async () => {
    const visitor = newVisitor(gateway.baseUrl);
    await visitor.get("/dashboard/signin?next=/dashboard/users");
    const before = visitor.cookies.get("tidegate_session");
    const alertFor = async (email: string) => {
      const answer = await visitor.submit("/dashboard/signin", { email, password: "something else" });
      assert.equal(answer.status, 401);
      return /role="alert">([^<]+)</.exec(answer.text)?.[1];
    };
    assert.equal(await alertFor(EMAIL), await alertFor("unknown@gateway.example"));
    assert.equal(
      await alertFor(EMAIL),
      await alertFor("unknown\0@gateway.example"),
      "a NUL byte gets the same response",
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
    assert.notEqual(visitor.cookies.get("tidegate_session"), before, "sign-in changes the session secret");
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

  test("the audit log has every wait that begins, and refused attempts once a minute", async (t) => {
    stoppedAt = Date.now();
    t.after(() => {
      stoppedAt = undefined;
    });
    const email = "tried@gateway.example";
    await signedIn(gateway, { role: "operator", email }, now);
    const [user] = await gateway.database.rows<{ id: string }>(
      "select id from dashboard_users where email = $1",
      [email],
    );
    const attempts = async (count: number, typed: string, more: Partial<Attempt> = {}) => {
      const attempt = { kind: "sign-in", email: typed, address: "192.0.2.7", ...more } as const;
      for (let at = 0; at < count; at += 1)
        await asOperator((ctx) => throttle(ctx, attempt).then(() => true, refusedAsFalse));
    };
    const [{ last } = { last: 0 }] = await gateway.database.rows<{ last: number }>(
      "select max(id)::int as last from audit_log",
    );
    const recorded = () =>
      gateway.database.rows(
        `select act, subject_id as "of", detail from audit_log
         where id > $1 and act in ('user_locked', 'user_attempt_refused') order by id`,
        [last],
      );
    const of = user?.id;
    await attempts(4, email);
    assert.deepEqual(await recorded(), [], "none of the free ones");
    await attempts(10, email);
    const first = [
      { act: "user_locked", of, detail: "sign-in, 30 seconds" },
      { act: "user_attempt_refused", of, detail: "sign-in" },
    ];
    assert.deepEqual(await recorded(), first);
    ahead += 30 * SECOND;
    await attempts(5, email);
    const second = { act: "user_locked", of, detail: "sign-in, 60 seconds" };
    assert.deepEqual(await recorded(), [...first, second], "within the minute of the refused ones");
    ahead += 30 * SECOND;
    await attempts(5, email);
    const third = { act: "user_attempt_refused", of, detail: "sign-in" };
    assert.deepEqual(await recorded(), [...first, second, third]);
    const address = "198.51.100.7";
    await attempts(5, `${email} second factor`, { address });
    await attempts(5, `second factor ${email}`, { address });
    const ofStranger = { act: "user_locked", of: null, detail: "sign-in, 30 seconds" };
    assert.deepEqual((await recorded()).slice(4), [ofStranger, ofStranger], "typed at the sign-in");
    await attempts(5, email, { kind: "second factor" });
    assert.deepEqual((await recorded()).slice(6), [
      { act: "user_locked", of, detail: "second factor, 30 seconds" },
    ]);
    for (let index = 0; index < 40; index += 1)
      await attempts(1, `other ${index}`, { address: "2001:db8:7::1" });
    assert.deepEqual((await recorded()).slice(7), [
      { act: "user_locked", of: null, detail: "network, 30 seconds" },
      { act: "user_attempt_refused", of: null, detail: "network" },
    ]);
  });

  test("attempts are throttled by account and by network, with a wait that doubles", async (t) => {
    // However long the attempts take.
    stoppedAt = Date.now();
    t.after(() => {
      stoppedAt = undefined;
    });
    const isAllowed = (email: string, address: string) =>
      asOperator((ctx) =>
        throttle(ctx, { kind: "sign-in", email, address }).then(() => true, refusedAsFalse),
      );
    for (let attempt = 0; attempt < 5; attempt += 1)
      assert.equal(await isAllowed("someone", `192.0.2.${attempt}`), true);
    assert.equal(await isAllowed("someone", "192.0.2.99"), false, "the sixth attempt is throttled");
    assert.equal(await isAllowed("another", "192.0.2.99"), true, "control: another account is not throttled");
    ahead += 30 * SECOND;
    assert.equal(await isAllowed("someone", "192.0.2.99"), true);
    ahead += 59 * SECOND;
    assert.equal(await isAllowed("someone", "192.0.2.99"), false);
    ahead += SECOND;
    assert.equal(await isAllowed("someone", "192.0.2.99"), true);
    await asOperator((ctx) =>
      clearAttempts(ctx, { kind: "sign-in", email: "someone", address: "192.0.2.99" }),
    );
    assert.equal(await isAllowed("someone", "192.0.2.98"), true, "a success resets the count");

    for (let attempt = 0; attempt < 30; attempt += 1)
      assert.equal(await isAllowed(`user ${attempt}`, "2001:db8::1"), true);
    assert.equal(await isAllowed("user 30", "2001:db8::2"), false, "the same /64 network");
    assert.equal(await isAllowed("user 30", "2001:db8:0:1::2"), true);
    for (let attempt = 0; attempt < 6; attempt += 1)
      assert.equal(await isAllowed("user 31", "2001:db8::3"), false);
    assert.equal(
      await isAllowed("user 31", "192.0.2.98"),
      true,
      "a blocked network does not block an account",
    );

    for (let attempt = 0; attempt < 6; attempt += 1)
      await isAllowed("blocked@gateway.example", `198.51.100.${attempt}`);
    const visitor = newVisitor(gateway.baseUrl);
    await visitor.get("/dashboard/signin");
    const answer = await visitor.submit("/dashboard/signin", {
      email: "blocked@gateway.example",
      password: PASSWORD,
    });
    assert.equal(answer.status, 429);
    assert.match(answer.text, /Too many attempts\. Try again in (?:[12]?\d|30) seconds?\./);
  });

  test("a session ends after 15 idle minutes, after 12 hours of use, and at sign-out", async () => {
    const isSignedIn = async (visitor: Visitor) => (await visitor.get("/dashboard/account")).status === 200;
    const idle = await signedIn(gateway, { role: "operator" }, now);
    ahead += 15 * MINUTE - 5 * SECOND;
    assert.equal(await isSignedIn(idle), true);
    ahead += 15 * MINUTE + SECOND;
    assert.equal(await isSignedIn(idle), false);

    const busy = await signedIn(gateway, { role: "operator" }, now);
    for (let used = 0; used < 12 * HOUR - 12 * MINUTE; used += 12 * MINUTE) {
      ahead += 12 * MINUTE;
      assert.equal(await isSignedIn(busy), true);
    }
    ahead += 12 * MINUTE;
    assert.equal(await isSignedIn(busy), false);

    const leaving = await signedIn(gateway, { role: "operator" }, now);
    const kept = leaving.cookies.get("tidegate_session") ?? "";
    await leaving.get("/dashboard/account");
    assert.equal((await leaving.submit("/dashboard/signout")).goTo, "/dashboard/signin");
    leaving.cookies.set("tidegate_session", kept);
    assert.equal(await isSignedIn(leaving), false, "the old secret is invalid");
    const headers = { origin: gateway.baseUrl, referer: `${gateway.baseUrl}/dashboard/users?a=b` };
    const late = await leaving.post("/dashboard/users/invite", { name: "Too late" }, headers);
    assert.equal(late.goTo, "/dashboard/signin?next=%2Fdashboard%2Fusers%3Fa%3Db");
    assert.match((await leaving.follow(late)).text, /session has ended, so nothing was done/);
  });

  test("a page that refreshes itself does not keep its session open", async () => {
    const visitor = await signedIn(gateway, { role: "operator" }, now);
    const cookie = `tidegate_session=${visitor.cookies.get("tidegate_session")}`;
    const refresh = async () => {
      const headers = { cookie, "tidegate-refresh": "1" };
      const url = `${gateway.baseUrl.replace("localhost", "127.0.0.1")}/dashboard/account`;
      return (await fetch(url, { headers, redirect: "manual" })).status;
    };
    ahead += 10 * MINUTE;
    assert.equal(await refresh(), 200);
    ahead += 5 * MINUTE;
    assert.equal(await refresh(), 303);
    assert.equal((await visitor.get("/dashboard/account")).status, 303);
  });

  test("a POST needs the page's token and the gateway's own origin", async () => {
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
    const signedOut = newVisitor(gateway.baseUrl);
    await signedOut.get("/dashboard/signin");
    const fields = { email: EMAIL, password: PASSWORD };
    assert.equal(
      (await signedOut.post("/dashboard/signin", fields, here)).status,
      403,
      "sign-in needs a token too",
    );
  });

  test("a second factor is set up with a code and required at sign-in; each code and recovery code works once", async () => {
    const [visitor] = await signIn();
    const secretIn = ({ text }: { readonly text: string }) =>
      (/data-copy="the secret">([A-Z2-7 ]+)</.exec(text)?.[1] ?? "").replaceAll(" ", "");
    const earlier = secretIn(await visitor.get("/dashboard/account/second-factor"));
    const setup = await visitor.get("/dashboard/account/second-factor");
    const secret = secretIn(setup);
    assert.match(secret, /^[A-Z2-7]{32}$/);
    assert.notEqual(secret, earlier, "each visit creates a new secret");
    assert.match(setup.text, /<svg class="qr"/);
    const late = totpCodeAt(earlier, now());
    const refused = await visitor.submit("/dashboard/account/second-factor", { code: late });
    assert.equal(refused.status, 401, "the earlier secret is invalid");
    assert.match(
      refused.text,
      /id="p-code">Enter the code that the app shows now[^<]*scan the picture again/,
    );
    assert.equal(secretIn(refused), secret, "a mistyped code keeps the secret that the app already has");
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
      "no page is open before the second factor",
    );
    const waiting = half.cookies.get("tidegate_session");
    const page = await half.get("/dashboard/second-factor");
    assert.equal(page.status, 200);
    const code = totpCodeAt(secret, now());
    assert.equal(
      (await half.submit("/dashboard/second-factor", { code: used })).status,
      401,
      "an old code is refused",
    );
    const done = await half.submit("/dashboard/second-factor", { code });
    assert.equal(done.goTo, "/dashboard");
    assert.notEqual(
      half.cookies.get("tidegate_session"),
      waiting,
      "the second factor changes the session secret",
    );
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
    assert.equal((await replay.submit(off, { code: first })).status, 401, "a recovery code works once");
    for (let attempt = 1; attempt < 5; attempt += 1)
      assert.equal((await replay.submit(off, { code: "000000" })).status, 401);
    const waits = await replay.submit(off, { code: recovery[1] ?? "" });
    assert.equal(waits.status, 429, "guesses of the removal code are throttled");
    assert.match(waits.text, /id="p-code"/);
    ahead += 30 * SECOND;
    assert.equal((await replay.submit(off, { code: recovery[1] ?? "" })).status, 303);
  });

  test("a new password needs the old one and ends every other session; the audit log records it", async () => {
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
    const link = await asOperator((ctx) => ctx.db.transaction((tx) => createLink(ctx, tx, own)));
    const open = async () => {
      const holder = newVisitor(gateway.baseUrl);
      await holder.get("/dashboard/welcome");
      return (await holder.submit("/dashboard/welcome", { link })).status;
    };
    assert.equal(await open(), 200);
    await other.get("/dashboard/account/second-factor");
    const countUnconfirmed = async () =>
      (
        await gateway.database.rows("select from dashboard_users where id = $1 and sealed_totp is not null", [
          row.id,
        ])
      ).length;
    assert.equal(await countUnconfirmed(), 1);
    assert.equal((await visitor.submit(at, { current: PASSWORD, password })).status, 303);
    assert.equal(await open(), 404, "an earlier link is invalid");
    assert.equal(await countUnconfirmed(), 0, "an unconfirmed second factor is removed");
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
