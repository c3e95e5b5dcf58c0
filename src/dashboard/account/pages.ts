import type { Context } from "../../platform/context.ts";
import { totpAddress } from "../../platform/crypto/totp.ts";
import { qrPicture } from "../../platform/images/qr.ts";
import { countRecoveryCodes } from "../access/second-factor/queries.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeOwnSecondFactor,
} from "../access/second-factor/second-factor.ts";
import { endSessions } from "../access/sessions/end-sessions.ts";
import { listSessions } from "../access/sessions/queries.ts";
import { ownPath } from "../shell/own-path.ts";
import { zoneOfUser } from "../shell/own-zone.ts";
import { type OwnPage, ownPage, type PageAnswer, type Refused, redirect, type Visit } from "../shell/page.ts";
import { changePassword } from "./change-password.ts";
import { proveIdentity } from "./prove-identity.ts";
import { ACCOUNT, accountView, proofView, recoveryCodesView, setupView } from "./view.ts";

/** The user's own password, second factor and sessions. */
export const accountPages: readonly OwnPage[] = [
  { method: "GET", path: "/account", right: "read", run: (ctx, visit) => showAccount(ctx, visit) },
  {
    method: "POST",
    path: "/account/password",
    right: "read",
    audit: "own password",
    onRefused: showAccount,
    run: async (ctx, { user, session, fields }) => {
      const { current = "", password = "" } = fields;
      await changePassword(ctx, { user, session }, { current, password });
      return redirect(ACCOUNT, "Your password is changed. Other sessions have ended.");
    },
  },
  {
    method: "GET",
    path: "/account/second-factor",
    right: "read",
    run: async (ctx, visit) => (visit.user.totpConfirmed ? { goTo: ACCOUNT } : showSetup(ctx, visit)),
  },
  {
    method: "POST",
    path: "/account/second-factor",
    right: "read",
    audit: "own second factor",
    onRefused: showSetup,
    run: async (ctx, { user, session, fields }) => {
      const codes = await confirmSecondFactor(ctx, { user, session }, fields["code"] ?? "");
      return { title: "Recovery codes", content: recoveryCodesView(codes) };
    },
  },
  {
    method: "POST",
    path: "/account/second-factor/remove",
    right: "read",
    audit: "own second factor removed",
    backTo: () => ACCOUNT,
    onRefused: showAccount,
    run: async (ctx, { user, session, fields, address }) => {
      await removeOwnSecondFactor(ctx, { user, session }, fields["code"] ?? "", address);
      return redirect(ACCOUNT, "The second factor is off.", "info");
    },
  },
  {
    method: "GET",
    path: "/account/confirm",
    right: "read",
    run: async (_ctx, visit) => showProof(visit, visit.query["next"]),
  },
  {
    method: "POST",
    path: "/account/confirm",
    right: "read",
    audit: "identity proven",
    onRefused: async (_ctx, visit, refused) => showProof(visit, visit.fields["next"], refused),
    run: async (ctx, { user, session, fields }) => {
      const { password = "", code = "" } = fields;
      await proveIdentity(ctx, { user, session }, { password, code });
      return redirect(ownPath(fields["next"]), "Confirmed for 10 minutes. Send the form again.", "info");
    },
  },
  ownPage({
    method: "POST",
    path: "/account/sessions/{userSessionId}/end",
    right: "read",
    audit: "own session ended",
    backTo: () => ACCOUNT,
    run: async (ctx, { user, params }) => {
      await endSessions(ctx, user, { only: params.userSessionId });
      return redirect(ACCOUNT, "That session has ended.");
    },
  }),
  {
    method: "POST",
    path: "/account/sessions/end",
    right: "read",
    audit: "own other sessions ended",
    backTo: () => ACCOUNT,
    run: async (ctx, { user, session }) => {
      await endSessions(ctx, user, { except: session.id });
      return redirect(ACCOUNT, "You are signed out everywhere else.");
    },
  },
];

async function showAccount(ctx: Context, visit: Visit, refused?: Refused): Promise<PageAnswer> {
  const { user } = visit;
  const sessions = await listSessions(ctx.db, user.id);
  const recoveryCodes = user.totpConfirmed ? await countRecoveryCodes(ctx.db, user.id) : 0;
  const zone = await zoneOfUser(ctx, user);
  return { title: "Your account", content: accountView(visit, { sessions, zone, recoveryCodes, refused }) };
}

function showProof(visit: Visit, next: string | undefined, refused?: Refused): PageAnswer {
  return { title: "Confirm that it is you", content: proofView(visit, ownPath(next), refused) };
}

async function showSetup(ctx: Context, visit: Visit, refused?: Refused): Promise<PageAnswer> {
  const { user, session } = visit;
  const secret = await beginSecondFactor(ctx, { user, session }, refused === undefined ? "fresh" : "same");
  const picture = qrPicture(totpAddress(secret, "Tidegate", user.email));
  return { title: "Set up a second factor", content: setupView(visit, { secret, picture, refused }) };
}
