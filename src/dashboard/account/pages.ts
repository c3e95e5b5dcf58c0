import { parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { toIso } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { totpAddress } from "../../platform/crypto/totp.ts";
import { qrPicture } from "../../platform/images/qr.ts";
import type { OwnPage, PageAnswer, Refused, Visit } from "../shell/visit.ts";
import { countRecoveryCodes } from "../sign-in/second-factor/queries.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  giveUpSecondFactor,
} from "../sign-in/second-factor/second-factor.ts";
import { listSessions } from "../sign-in/sessions/queries.ts";
import { changePassword, endSessions } from "../users/change-user.ts";
import { accountPage, recoveryCodesShown, secondFactorSetup } from "./view.ts";

const HOME = "/dashboard/account";

/** What people do about themselves: password, second factor, sessions. */
export const accountPages: readonly OwnPage[] = [
  { method: "GET", path: "/account", may: "read", run: (ctx, visit) => showAccount(ctx, visit) },
  {
    method: "POST",
    path: "/account/password",
    may: "read",
    audit: "own password",
    again: showAccount,
    run: async (ctx, { user, session, fields }) => {
      const { current = "", password = "" } = fields;
      await changePassword(ctx, user, session, { current, password });
      return {
        goTo: HOME,
        say: { tone: "good", words: "Your password is changed. Other sessions have ended." },
      };
    },
  },
  {
    method: "GET",
    path: "/account/second-factor",
    may: "read",
    run: async (ctx, visit) => (visit.user.totpConfirmed ? { goTo: HOME } : showSetup(ctx, visit)),
  },
  {
    method: "POST",
    path: "/account/second-factor",
    may: "read",
    audit: "own second factor",
    again: showSetup,
    run: async (ctx, { user, session, fields }) => {
      const codes = await confirmSecondFactor(ctx, user.id, session, fields["code"] ?? "");
      return { title: "Recovery codes", content: recoveryCodesShown(codes, HOME) };
    },
  },
  {
    method: "POST",
    path: "/account/second-factor/remove",
    may: "read",
    audit: "own second factor removed",
    back: () => HOME,
    again: showAccount,
    run: async (ctx, { user, fields, address }) => {
      await giveUpSecondFactor(ctx, user, fields["code"] ?? "", address);
      return { goTo: HOME, say: { tone: "info", words: "The second factor is off." } };
    },
  },
  {
    method: "POST",
    path: "/account/sessions/:sessionId/end",
    may: "read",
    audit: "own session ended",
    back: () => HOME,
    run: async (ctx, { user, params }) => {
      const only = parseId("userSession", params["sessionId"] ?? "") ?? refuse("resource_not_found");
      await endSessions(ctx, user, { only });
      return { goTo: HOME, say: { tone: "good", words: "That session has ended." } };
    },
  },
  {
    method: "POST",
    path: "/account/sessions/end",
    may: "read",
    audit: "own other sessions ended",
    back: () => HOME,
    run: async (ctx, { user, session }) => {
      await endSessions(ctx, user, { except: session.id });
      return { goTo: HOME, say: { tone: "good", words: "You are signed out everywhere else." } };
    },
  },
];

async function showAccount(ctx: Context, visit: Visit, refused?: Refused): Promise<PageAnswer> {
  const { user, session, formToken, fields } = visit;
  const wait = refused?.status === 429 ? refused.words : undefined;
  const sessions = (await listSessions(ctx.db, user.id)).map(({ id, agent, address, createdAt, seenAt }) => ({
    id,
    agent,
    address,
    createdAt: toIso(createdAt),
    seenAt: toIso(seenAt),
    current: id === session.id,
  }));
  const content = accountPage({
    formToken,
    user: { name: user.name, email: user.email, role: user.role },
    secondFactor: user.totpConfirmed ? { codesLeft: await countRecoveryCodes(ctx.db, user.id) } : undefined,
    sessions,
    problems: {
      current: refused?.byField["/current"] ?? (fields["code"] === undefined ? wait : undefined),
      password: refused?.byField["/password"],
      code: refused?.byField["/code"] ?? (fields["code"] === undefined ? undefined : wait),
    },
  });
  return { title: "Your account", content };
}

async function showSetup(ctx: Context, { user, formToken }: Visit, refused?: Refused): Promise<PageAnswer> {
  const secret = await beginSecondFactor(ctx, user.id, refused === undefined ? "fresh" : "same");
  const picture = qrPicture(totpAddress(secret, "Tidegate", user.email));
  const content = secondFactorSetup({
    formToken,
    secret,
    picture,
    problem: refused && `${refused.words} If this page was opened twice, scan the picture again.`,
    backTo: HOME,
  });
  return { title: "Set up a second factor", content };
}
