import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { acceptInvitation } from "../../../src/dashboard/access/invitations/accept-invitation.ts";
import { createLink } from "../../../src/dashboard/access/invitations/link.ts";
import {
  beginSecondFactor,
  completeSignIn,
  confirmSecondFactor,
  removeOwnSecondFactor,
} from "../../../src/dashboard/access/second-factor/second-factor.ts";
import { endSessions } from "../../../src/dashboard/access/sessions/end-sessions.ts";
import type { SignedIn } from "../../../src/dashboard/access/sessions/queries.ts";
import { findSession } from "../../../src/dashboard/access/sessions/session.ts";
import { changePassword } from "../../../src/dashboard/account/change-password.ts";
import { proveIdentity } from "../../../src/dashboard/account/prove-identity.ts";
import { signIn } from "../../../src/dashboard/sign-in/sign-in.ts";
import { changeUser } from "../../../src/dashboard/users/change-user.ts";
import { disableInactive } from "../../../src/dashboard/users/disable-inactive.ts";
import { inviteUser } from "../../../src/dashboard/users/invite-user.ts";
import type { Id } from "../../../src/kernel/ids.ts";
import { DAY, type Instant, instant, MINUTE } from "../../../src/kernel/time.ts";
import type { Context } from "../../../src/platform/context.ts";
import { hashSecret } from "../../../src/platform/crypto/secrets.ts";
import { totpCodeAt } from "../../support/authenticator.ts";
import { newVisitor, setPasswords, signedIn, type Visitor } from "../../support/dashboard.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { inContext } from "../../support/operator.ts";

const PASSWORD = "a harbour in the morning";
const RESET = "a harbour in the evening";
const DEVICE = { agent: "a test", address: "127.0.0.1" };

describe("accounts of the dashboard", () => {
  let ahead = 0;
  const now = (): Instant => instant(Date.now() + ahead);
  let gateway: TestGateway;
  let merchantId: string;
  before(async () => {
    gateway = await startTestGateway({ now });
    merchantId = (await gateway.newMerchant()).id;
  });
  after(() => gateway.stop());

  /** A user with a password who is signed in. */
  async function join(email: string, role: "operator" | "admin" | "staff"): Promise<Visitor> {
    const visitor = await signedIn(gateway, { role, merchantId, email }, now);
    await setPasswords(gateway.database, email, PASSWORD);
    return visitor;
  }

  /** Opens an invitation of a staff user and answers it with this password. */
  async function accept(visitor: Visitor, email: string, password: string) {
    const { link } = await inContext(
      gateway.database,
      (ctx) =>
        inviteUser(ctx, {
          email,
          name: "Kim",
          role: "staff",
          merchantId: merchantId as Id<"merchant">,
        }),
      { settings: gateway.settings, now },
    );
    await visitor.get("/dashboard/welcome");
    await visitor.submit("/dashboard/welcome", { link: link.split("#")[1] ?? "" });
    return visitor.submit("/dashboard/welcome/finish", { password });
  }

  test("refuses a common password with words beside its field, and takes another", async () => {
    const visitor = newVisitor(gateway.baseUrl);
    const refused = await accept(visitor, "common@shop.example", "Password1234!");
    assert.equal(refused.status, 400);
    assert.match(refused.text, /not one of the most common ones/);
    assert.equal((await visitor.submit("/dashboard/welcome/finish", { password: PASSWORD })).status, 303);
  });

  test("refuses each of the last four passwords, and takes the fifth again", async () => {
    const visitor = await join("history@shop.example", "staff");
    const change = async (current: string, password: string) => {
      await visitor.get("/dashboard/account");
      return visitor.submit("/dashboard/account/password", { current, password });
    };
    const words = ["salt on every window", "gulls above the pier", "kelp and driftwood", PASSWORD];
    await setPasswords(gateway.database, "history@shop.example", ...words);
    const assertRefused = async (current: string, used: string) => {
      const refused = await change(current, used);
      assert.equal(refused.status, 400, used);
      assert.match(refused.text, /not one of your last four/);
    };
    const [last = ""] = words;
    for (const used of words) await assertRefused(last, used);
    const hashes = async () => {
      const [row] = await gateway.database.rows<{ password_hash: string; previous_hashes: string[] }>(
        "select password_hash, previous_hashes from dashboard_users where email = 'history@shop.example'",
      );
      return row ?? assert.fail();
    };
    const before = await hashes();
    const next = "a rope around the bollard";
    assert.equal((await change(last, next)).status, 303);
    const kept = [before.password_hash, ...before.previous_hashes.slice(0, 2)];
    assert.deepEqual((await hashes()).previous_hashes, kept);
    assert.equal((await change(next, PASSWORD)).status, 303, "the fifth back");
  });

  describe("what was under way when the password was reset is refused", () => {
    /** The session as a request reads it; the password is reset before the request goes on. */
    async function staleSession(email: string, work: (ctx: Context, stale: SignedIn) => Promise<unknown>) {
      const visitor = await join(email, "staff");
      await inContext(
        gateway.database,
        async (ctx) => {
          const secret = visitor.cookies.get("tidegate_session") ?? "";
          const stale = (await findSession(ctx, secret)) ?? assert.fail("signed in");
          const link = await ctx.db.transaction((tx) => createLink(ctx, tx, stale.user));
          const { name } = stale.user;
          await acceptInvitation(ctx, { link, email, name, password: RESET }, DEVICE);
          await work(ctx, stale);
        },
        { settings: gateway.settings, now },
      );
    }

    test("a change of the password", async () => {
      await staleSession("in-flight@shop.example", async (ctx, stale) => {
        const input = { current: PASSWORD, password: "a boat of the intruder" };
        await assert.rejects(changePassword(ctx, stale, input), /dashboard_form_refused/);
        const email = "in-flight@shop.example";
        assert.ok(await signIn(ctx, { email, password: RESET }, DEVICE));
      });
    });

    test("the second factor of a sign-in, its setup and a proof", async () => {
      await staleSession("half-open@shop.example", async (ctx, stale) => {
        for (const late of [
          () => completeSignIn(ctx, stale, "123456", DEVICE),
          () => beginSecondFactor(ctx, stale, "fresh"),
          () => confirmSecondFactor(ctx, stale, "123456"),
          () => removeOwnSecondFactor(ctx, stale, "123456", DEVICE.address),
          () => proveIdentity(ctx, stale, { password: PASSWORD, code: "" }),
        ])
          await assert.rejects(late(), /dashboard_form_refused/);
      });
    });

    test("a recovery code completes no sign-in whose session has ended", async () => {
      const email = "recovering@shop.example";
      await join(email, "staff");
      await inContext(
        gateway.database,
        async (ctx) => {
          const half = async () => {
            const { secret } = await signIn(ctx, { email, password: PASSWORD }, DEVICE);
            return (await findSession(ctx, secret)) ?? assert.fail("signed in");
          };
          const first = await half();
          const secret = await beginSecondFactor(ctx, first, "fresh");
          const [code = "", other = ""] = await confirmSecondFactor(ctx, first, totpCodeAt(secret, now()));
          const ended = await half();
          assert.equal(ended.session.isComplete, false);
          await endSessions(ctx, ended.user, { only: ended.session.id });
          await assert.rejects(completeSignIn(ctx, ended, code, DEVICE), /dashboard_form_refused/);
          assert.ok(await completeSignIn(ctx, await half(), other, DEVICE), "control");
        },
        { settings: gateway.settings, now },
      );
    });
  });

  test("times are in the zone of the user's merchant; an operator, who has none, reads UTC", async () => {
    const admin = await signedIn(gateway, { role: "admin", merchantId });
    assert.match((await admin.get("/dashboard/account")).text, /<time [^>]*>[^<]* AE[SD]T<\/time>/);
    const operator = await signedIn(gateway, { role: "operator" });
    assert.match((await operator.get("/dashboard/account")).text, /<time [^>]*>[^<]* UTC<\/time>/);
  });

  test("a session of an admin ends after 15 minutes without use, of staff after 30", async () => {
    const admin = await signedIn(gateway, { role: "admin", merchantId }, now);
    const staff = await signedIn(gateway, { role: "staff", merchantId }, now);
    const keys = `/dashboard/${merchantId}/keys`;
    ahead += 15 * MINUTE - 5_000;
    assert.equal((await admin.get(keys)).status, 200);
    assert.equal((await staff.get(keys)).status, 200);
    ahead += 15 * MINUTE;
    assert.match((await admin.get(keys)).goTo, /signin/);
    assert.equal((await staff.get(keys)).status, 200);
    ahead += 30 * MINUTE;
    assert.match((await staff.get(keys)).goTo, /signin/);
  });

  test("ten wrong passwords lock the account for 30 minutes", async () => {
    const email = "locked@shop.example";
    await join(email, "staff");
    const visitor = newVisitor(gateway.baseUrl);
    const attempt = async (password: string) => {
      await visitor.get("/dashboard/signin");
      return (await visitor.submit("/dashboard/signin", { email, password })).status;
    };
    for (let failures = 0; failures < 10; failures += 1) {
      assert.equal(await attempt("not the password"), 401);
      // Past the wait, except after the last.
      if (failures < 9) ahead += 16 * MINUTE;
    }
    ahead += 30 * MINUTE - 5_000;
    assert.equal(await attempt(PASSWORD), 429);
    ahead += 10_000;
    assert.equal(await attempt(PASSWORD), 303);
  });

  test("keys, users and webhook credentials change only within 10 minutes of a proof", async () => {
    const admin = await join("proof@shop.example", "admin");
    const base = `/dashboard/${merchantId}`;
    const create = async () => {
      await admin.get(`${base}/keys`);
      return admin.submit(`${base}/keys/create`);
    };
    ahead += 10 * MINUTE - 5_000;
    assert.match((await create()).text, /tg_sandbox_/, "just before");
    ahead += 10_000;
    const count = async () =>
      (await gateway.database.rows("select from api_keys where merchant_id = $1", [merchantId])).length;
    const before = await count();
    const sent = await create();
    assert.match(sent.goTo, /^\/dashboard\/account\/confirm\?next=/);
    assert.equal(await count(), before, "nothing was done");
    for (const [page, action] of [
      [`${base}/webhooks`, `${base}/webhooks/settings`],
      [`${base}/webhooks`, `${base}/webhooks/signing-key`],
      ["/dashboard/users", "/dashboard/users/invite"],
    ] as const) {
      await admin.get(page);
      assert.match((await admin.submit(action)).goTo, /^\/dashboard\/account\/confirm\?next=/, action);
    }
    await signedIn(gateway, { role: "staff", merchantId, email: "proven@shop.example" }, now);
    const [other] = await gateway.database.rows<{ id: string }>(
      "select id from dashboard_users where email = 'proven@shop.example'",
    );
    const at = `/dashboard/users/${other?.id}`;
    await admin.get(at);
    const next = `/dashboard/account/confirm?next=${encodeURIComponent(at)}`;
    assert.equal((await admin.submit(`${at}/role`, { role: "viewer" })).goTo, next);
    const asked = await admin.follow(sent);
    assert.match(asked.text, /Confirm that it is you/);
    assert.match(asked.text, /Nothing was done yet/);
    const wrong = await admin.submit("/dashboard/account/confirm", { password: "not the password" });
    assert.equal(wrong.status, 401);
    const confirmed = await admin.submit("/dashboard/account/confirm", { password: PASSWORD });
    assert.equal(confirmed.goTo, `${base}/keys`);
    assert.match((await create()).text, /tg_sandbox_/);
  });

  test("while deliveries carry credentials, only an admin with a proof sends them to a new origin", async () => {
    const { id, key } = await gateway.newMerchant();
    const page = `/dashboard/${id}/webhooks`;
    const credentials = { username: "shop", password: "a secret" };
    assert.equal((await gateway.put("/webhooks/settings", credentials, { key })).status, 200);
    const subscribe = async (visitor: Visitor, event: string, url: string) => {
      await visitor.get(page);
      return visitor.submit(`${page}/create`, { event, url });
    };
    const staff = await signedIn(gateway, { role: "staff", merchantId: id }, now);
    const admin = await signedIn(gateway, { role: "admin", merchantId: id }, now);
    assert.equal((await subscribe(staff, "payouts", "https://shop.example/hook")).status, 403);
    assert.equal((await subscribe(admin, "payouts", "https://shop.example/hook")).goTo, page);
    assert.equal((await subscribe(staff, "customers", "https://shop.example/2")).goTo, page, "known by now");

    ahead += 11 * MINUTE;
    const asked = /^\/dashboard\/account\/confirm\?next=/;
    assert.match((await subscribe(admin, "disputes", "https://else.example/")).goTo, asked);
    assert.equal((await subscribe(admin, "disputes", "https://shop.example/3")).goTo, page);
    const [, webhook = ""] = /webhooks\/(whk_\w+)\/test/.exec((await admin.get(page)).text) ?? [];
    const at = `${page}/${webhook}`;
    const move = async (visitor: Visitor, url: string) => {
      await visitor.get(at);
      return visitor.submit(`${at}/address`, { url });
    };
    assert.match((await move(admin, "https://else.example/")).goTo, asked);
    assert.equal((await move(staff, "https://else.example/")).status, 403);
    assert.equal((await move(staff, "https://shop.example/4")).goTo, at);
  });

  test("too many wrong passwords are said in words, and the right one has to wait, too", async () => {
    const admin = await join("typos@shop.example", "admin");
    const confirm = async (password: string) => {
      await admin.get("/dashboard/account/confirm");
      return admin.submit("/dashboard/account/confirm", { password });
    };
    for (let tries = 0; tries < 5; tries += 1)
      assert.equal((await confirm("not the password")).status, 401, String(tries));
    const refused = await confirm(PASSWORD);
    assert.equal(refused.status, 429);
    assert.match(refused.text, /class="notice notice-bad"[^>]*>Too many attempts. Try again in \d+ \w+\./);
  });

  test("the proof never leads to another site", async () => {
    const admin = await join("next@shop.example", "admin");
    const page = await admin.get("/dashboard/account/confirm?next=https%3A%2F%2Fevil.example");
    assert.match(page.text, /name="next" value="\/dashboard"/);
    const password = PASSWORD;
    const next = "//evil.example";
    assert.equal((await admin.submit("/dashboard/account/confirm", { password, next })).goTo, "/dashboard");
  });

  test("with a second factor the proof needs its code; recovery codes are stored under scrypt", async () => {
    const admin = await join("factor@shop.example", "admin");
    const setup = await admin.get("/dashboard/account/second-factor");
    const secret = (/data-copy="the secret">([A-Z2-7 ]+)</.exec(setup.text)?.[1] ?? "").replaceAll(" ", "");
    const codes = await admin.submit("/dashboard/account/second-factor", { code: totpCodeAt(secret, now()) });
    const recovery = [...codes.text.matchAll(/<code>([\w-]{10,20})<\/code>/g)].map(([, code = ""]) => code);
    assert.equal(recovery.length, 10, codes.text.slice(0, 500));
    const rows = await gateway.database.rows<{ hash: Buffer }>(
      "select hash from dashboard_recovery_codes c join dashboard_users u on u.id = c.user_id where u.email = $1",
      ["factor@shop.example"],
    );
    assert.equal(rows.length, 10);
    const plain = new Set(recovery.map((code) => Buffer.from(hashSecret(code)).toString("hex")));
    assert.ok(
      rows.every(({ hash }) => !plain.has(hash.toString("hex"))),
      "no quick hash",
    );
    await admin.get("/dashboard/account/confirm");
    const without = await admin.submit("/dashboard/account/confirm", { password: PASSWORD, code: "000000" });
    assert.equal(without.status, 401);
    const [code = ""] = recovery;
    assert.equal(
      (await admin.submit("/dashboard/account/confirm", { password: PASSWORD, code })).status,
      303,
    );
    await admin.get("/dashboard/account/confirm");
    const again = await admin.submit("/dashboard/account/confirm", { password: PASSWORD, code });
    assert.equal(again.status, 401, "a code works once");
  });

  test("90 days without a sign-in disable a user, but not the last operator", async () => {
    await join("last@shop.example", "operator");
    await join("idle@shop.example", "staff");
    const disabled = async () =>
      (
        await gateway.database.rows<{ email: string }>(
          "select email from dashboard_users where disabled_at is not null and email = any($1)",
          [["last@shop.example", "idle@shop.example", "fresh@shop.example"]],
        )
      ).map(({ email }) => email);
    const run = () => inContext(gateway.database, disableInactive, { settings: gateway.settings, now });
    ahead += 90 * DAY - MINUTE;
    await run();
    assert.deepEqual(await disabled(), []);
    await join("fresh@shop.example", "staff");
    ahead += 2 * MINUTE;
    await run();
    assert.deepEqual(await disabled(), ["idle@shop.example"]);

    const [idle] = await gateway.database.rows<{ id: Id<"user"> }>(
      "select id from dashboard_users where email = 'idle@shop.example'",
    );
    assert.ok(idle);
    const seen = { ...idle, merchantId: merchantId as Id<"merchant"> };
    const enable = (ctx: Context) => changeUser(ctx, seen, { disabled: false });
    await inContext(gateway.database, enable, { settings: gateway.settings, now });
    await run();
    assert.deepEqual(await disabled(), [], "enabling begins the 90 days anew");
    ahead += 90 * DAY + MINUTE;
    await run();
    assert.ok((await disabled()).includes("idle@shop.example"));
  });
});
