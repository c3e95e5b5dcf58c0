import type { Html } from "../../../browser/ui/html.ts";
import type { Context } from "../../platform/context.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import { acceptInvitation } from "../access/invitations/accept-invitation.ts";
import { getInvited } from "../access/invitations/link.ts";
import { completeSignIn } from "../access/second-factor/second-factor.ts";
import { endSessions } from "../access/sessions/end-sessions.ts";
import { type Device, findSession, type OpenedSession } from "../access/sessions/session.ts";
import { ownPath } from "../shell/own-path.ts";
import type { Refused } from "../shell/page.ts";
import { signIn } from "./sign-in.ts";
import { linkForm, secondFactorForm, signInForm, welcomeForm } from "./view.ts";

type SignInVisit = {
  /** The cookie's, of a session or not. */
  readonly secret: string;
  readonly fields: FormFields;
  readonly query: FormFields;
  readonly device: Device;
};

/** A page with one form, or a redirect that may set or delete the session's cookie. */
export type SignInAnswer =
  | {
      readonly title: string;
      readonly form: (formToken: string) => Html;
      readonly status?: number;
      readonly problem?: string;
    }
  | { readonly goTo: string; readonly cookie?: OpenedSession | "forget" };

export type SignInPage = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly run: (ctx: Context, visit: SignInVisit) => Promise<SignInAnswer>;
  readonly onRefused?: (ctx: Context, visit: SignInVisit, refused: Refused) => Promise<SignInAnswer>;
};

/** The pages that need no complete session. */
export const signInPages: readonly SignInPage[] = [
  {
    method: "GET",
    path: "/signin",
    run: async (ctx, { secret, query }) => {
      const next = ownPath(query["next"]);
      const found = await findSession(ctx, secret);
      if (found?.session.isComplete === true) return { goTo: next };
      return { title: "Sign in", form: (formToken) => signInForm({ formToken, next, email: "" }) };
    },
  },
  {
    method: "POST",
    path: "/signin",
    run: async (ctx, { fields, device }) => {
      const { email = "", password = "", next } = fields;
      return enter(await signIn(ctx, { email, password }, device), next);
    },
    onRefused: async (_ctx, { fields }, { words }) => {
      const { email = "" } = fields;
      const next = ownPath(fields["next"]);
      return {
        title: "Sign in",
        form: (formToken) => signInForm({ formToken, next, email }),
        problem: words,
      };
    },
  },
  {
    method: "GET",
    path: "/second-factor",
    run: async (ctx, { secret, query }) => {
      const found = await findSession(ctx, secret);
      const next = ownPath(query["next"]);
      if (found === undefined) return { goTo: "/dashboard/signin" };
      if (found.session.isComplete) return { goTo: next };
      return { title: "Second factor", form: (formToken) => secondFactorForm({ formToken, next }) };
    },
  },
  {
    method: "POST",
    path: "/second-factor",
    run: async (ctx, { secret, fields, device }) => {
      const { code = "", next } = fields;
      const found = await findSession(ctx, secret);
      if (found === undefined || found.session.isComplete) return { goTo: "/dashboard/signin" };
      return enter(await completeSignIn(ctx, found, code, device), next);
    },
    onRefused: async (_ctx, { fields }, { byField, words }) => {
      const next = ownPath(fields["next"]);
      const problem = byField["/code"] ?? words;
      return { title: "Second factor", form: (formToken) => secondFactorForm({ formToken, next, problem }) };
    },
  },
  { method: "GET", path: "/welcome", run: async () => ({ title: "Welcome", form: linkForm }) },
  {
    method: "POST",
    path: "/welcome",
    run: showWelcome,
    onRefused: async (_ctx, _visit, { words }) => ({ title: "Welcome", form: linkForm, problem: words }),
  },
  {
    method: "POST",
    path: "/welcome/finish",
    run: async (ctx, { fields, device }) => {
      const { link = "", email = "", name = "", password = "" } = fields;
      return enter(await acceptInvitation(ctx, { link, email, name, password }, device), undefined);
    },
    onRefused: async (ctx, visit, refused) => {
      const gone = refused.byField["/link"];
      if (gone !== undefined) return { title: "Welcome", form: linkForm, problem: gone };
      return showWelcome(ctx, visit, refused);
    },
  },
  {
    method: "POST",
    path: "/signout",
    run: async (ctx, { secret }) => {
      const found = await findSession(ctx, secret);
      if (found !== undefined) await endSessions(ctx, found.user, { only: found.session.id });
      return { goTo: "/dashboard/signin", cookie: "forget" };
    },
  },
];

/** Shows the form that an invitation leads to; nothing is used up yet. */
async function showWelcome(ctx: Context, { fields }: SignInVisit, refused?: Refused): Promise<SignInAnswer> {
  const { link = "", email = "", name = "" } = fields;
  const user = await getInvited(ctx, link);
  return {
    title: "Welcome",
    form: (formToken) =>
      welcomeForm({
        formToken,
        link,
        user,
        email: user?.email ?? email,
        name: refused === undefined ? (user?.name ?? "") : name,
        byField: refused?.byField ?? {},
      }),
  };
}

function enter(opened: OpenedSession, next: string | undefined): SignInAnswer {
  const to = ownPath(next);
  return {
    goTo: opened.session.isComplete ? to : `/dashboard/second-factor?next=${encodeURIComponent(to)}`,
    cookie: opened,
  };
}
