import assert from "node:assert/strict";
import { scryptSync } from "node:crypto";
import { openSession } from "../../src/dashboard/access/sessions/session.ts";
import type { Role } from "../../src/dashboard/access/users/user.ts";
import { inviteUser } from "../../src/dashboard/users/invite-user.ts";
import type { Id } from "../../src/kernel/ids.ts";
import type { Instant } from "../../src/kernel/time.ts";
import type { TestDatabase } from "./database.ts";
import { inContext } from "./operator.ts";

export type DashboardAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** The target of a redirect. */
  readonly goTo: string;
  readonly text: string;
};

/** A browser without scripts: it keeps cookies, and submits the forms of the page that it shows. */
export type Visitor = {
  readonly get: (path: string) => Promise<DashboardAnswer>;
  /** Submits the form with that action on the current page; `fields` override its values. */
  readonly submit: (action: string, fields?: Readonly<Record<string, string>>) => Promise<DashboardAnswer>;
  /** Posts exactly these fields, with these headers. */
  readonly post: (
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<DashboardAnswer>;
  /** Follows redirects, at most five. */
  readonly follow: (answer: DashboardAnswer) => Promise<DashboardAnswer>;
  readonly cookies: Map<string, string>;
};

export function newVisitor(baseUrl: string): Visitor {
  const cookies = new Map<string, string>();
  const network = baseUrl.replace("localhost", "127.0.0.1");
  let shown = "";

  async function send(path: string, init: RequestInit = {}): Promise<DashboardAnswer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = {
      ...(init.headers as Record<string, string> | undefined),
      ...(cookie === "" ? {} : { cookie }),
    };
    const response = await fetch(network + path, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0\b/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    if (response.status !== 303) shown = text;
    return {
      status: response.status,
      headers: response.headers,
      goTo: response.headers.get("location") ?? "",
      text,
    };
  }

  const visitor: Visitor = {
    cookies,
    get: (path) => send(path),
    post: (path, fields, headers = { origin: baseUrl, "sec-fetch-site": "same-origin" }) =>
      send(path, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
    submit: async (action, fields = {}) => visitor.post(action, { ...formFields(shown, action), ...fields }),
    follow: async (answer) => {
      let last = answer;
      for (let hops = 0; last.goTo !== "" && hops < 5; hops += 1) last = await visitor.get(last.goTo);
      return last;
    },
  };
  return visitor;
}

/** The fields that a browser would submit for the untouched form with that action. */
export function formFields(page: string, action: string): Record<string, string> {
  const forms = page.match(/<form\b[\s\S]*?<\/form>/g) ?? [];
  const form = forms.find((one) => one.includes(`action="${action}"`));
  assert.ok(form, `the page has a form for ${action}`);
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const name = attribute(tag, "name");
    const box = attribute(tag, "type") === "checkbox";
    if (name !== "" && (!box || / checked\b/.test(tag))) fields[name] = attribute(tag, "value");
  }
  for (const [, tag = "", inner = ""] of form.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)) {
    const chosen =
      /<option value="([^"]*)"[^>]* selected/.exec(inner) ?? /<option value="([^"]*)"/.exec(inner);
    fields[attribute(tag, "name")] = chosen?.[1] ?? "";
  }
  for (const [, tag = "", inner = ""] of form.matchAll(/<textarea\b([^>]*)>([\s\S]*?)<\/textarea>/g)) {
    fields[attribute(tag, "name")] = plain(inner);
  }
  return fields;
}

function attribute(tag: string, name: string): string {
  return plain(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
}

function plain(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

export type UserDetails = { readonly role: Role; readonly merchantId?: string; readonly email?: string };

let count = 0;

/** A user who is signed in already; without a password, because hashing one takes half a second. */
export async function signedIn(
  gateway: { readonly baseUrl: string; readonly database: TestDatabase },
  { role, merchantId, email }: UserDetails,
  now?: () => Instant,
): Promise<Visitor> {
  count += 1;
  const visitor = newVisitor(gateway.baseUrl);
  const secret = await inContext(
    gateway.database,
    async (ctx) => {
      const { user } = await inviteUser(ctx, {
        email: email ?? `person${count}@shop.example`,
        name: `Person ${count}`,
        role,
        merchantId: role === "operator" ? null : (merchantId as Id<"merchant">),
      });
      const device = { agent: "a test", address: "127.0.0.1" };
      return (await openSession(ctx, ctx.db, { userId: user.id, device, isComplete: true })).secret;
    },
    now === undefined ? {} : { now },
  );
  visitor.cookies.set("tidegate_session", secret);
  return visitor;
}

/**
 * Gives the user these passwords, the present one first, under hashes that cost little: each hash says its own cost, and one of
 * the gateway's takes half a second.
 */
export async function setPasswords(
  database: TestDatabase,
  email: string,
  ...passwords: readonly string[]
): Promise<void> {
  const [present, ...previous] = passwords.map((password) => {
    const salt = Buffer.from(email);
    const key = scryptSync(password, salt, 32, { N: 2, r: 8, p: 1 });
    return `scrypt$2$8$1$${salt.toString("base64url")}$${key.toString("base64url")}`;
  });
  await database.rows(
    "update dashboard_users set password_hash = $2, previous_hashes = $3 where email = $1",
    [email, present, previous],
  );
}
