import type { FastifyReply, FastifyRequest } from "fastify";
import { jsonIn } from "../../kernel/json.ts";
import type { Settings } from "../../platform/config/settings.ts";
import { randomText } from "../../platform/crypto/secrets.ts";
import type { Notice } from "./parts/notice.ts";

/**
 * Lax, not Strict: a link in an e-mail opens the page that it names, and no GET changes anything. `same-origin.ts` guards
 * every POST. Over https the name pins the cookie to this host.
 */
export type Cookies = {
  /** The session's secret, or the random text of a visitor without a session, which binds forms to this browser. */
  readonly read: (request: FastifyRequest) => string;
  readonly keep: (reply: FastifyReply, secret: string) => void;
  readonly forget: (reply: FastifyReply) => void;
  readonly visitor: (request: FastifyRequest, reply: FastifyReply) => string;
  readonly setNotice: (reply: FastifyReply, notice: Notice) => void;
  /** The notice that the previous request left for this page; shown once. */
  readonly takeNotice: (request: FastifyRequest, reply: FastifyReply) => Notice | undefined;
};

export function createCookies({ dashboardUrl }: Pick<Settings, "dashboardUrl">): Cookies {
  const secure = dashboardUrl.startsWith("https:");
  const named = (name: string) => (secure ? `__Host-${name}` : name);
  const rules = `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const SESSION = named("tidegate_session");
  const NOTICE = named("tidegate_notice");
  const set = (reply: FastifyReply, name: string, value: string, seconds?: number) => {
    const age = seconds === undefined ? "" : `; Max-Age=${seconds}`;
    void reply.header("Set-Cookie", `${name}=${value}; ${rules}${age}`);
  };
  return {
    read: (request) => cookieOf(request, SESSION),
    keep: (reply, secret) => set(reply, SESSION, secret),
    forget: (reply) => set(reply, SESSION, "", 0),
    visitor: (request, reply) => {
      const known = cookieOf(request, SESSION);
      if (known !== "") return known;
      const fresh = randomText(32);
      set(reply, SESSION, fresh);
      return fresh;
    },
    setNotice: (reply, notice) =>
      set(reply, NOTICE, Buffer.from(JSON.stringify(notice)).toString("base64url"), 60),
    takeNotice: (request, reply) => {
      const text = cookieOf(request, NOTICE);
      if (text === "") return undefined;
      set(reply, NOTICE, "", 0);
      return readNotice(text);
    },
  };
}

function cookieOf(request: FastifyRequest, wanted: string): string {
  for (const pair of (request.headers.cookie ?? "").split(/;\s*/)) {
    const cut = pair.indexOf("=");
    if (pair.slice(0, cut) === wanted) return pair.slice(cut + 1);
  }
  return "";
}

function readNotice(text: string): Notice | undefined {
  const read = jsonIn(Buffer.from(text, "base64url").toString("utf8")) as Partial<Notice> | null | undefined;
  const { tone, words } = read ?? {};
  const known = tone === "good" || tone === "bad" || tone === "info";
  return known && typeof words === "string" ? { tone, words: words.slice(0, 500) } : undefined;
}
