import type { FastifyReply, FastifyRequest } from "fastify";
import type { Html } from "../../../browser/ui/html.ts";
import { Refusal } from "../../kernel/refusal.ts";
import { type FormFields, lastOfEach, withoutNuls } from "../../platform/http/form-posts.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import { signInPage } from "../shell/layout.ts";
import { refusedWords } from "../shell/refused.ts";
import type { PageParts } from "../shell/run-page.ts";
import { formTokenOf, refuseForeignForm } from "../shell/same-origin.ts";
import { sendDashboard } from "../shell/send-dashboard.ts";
import type { Refused } from "../shell/visit.ts";
import { endSessions } from "../users/change-user.ts";
import { acceptInvitation } from "./invitations/accept-invitation.ts";
import { readInvitation } from "./invitations/one-time-link.ts";
import { giveSecondFactor } from "./second-factor/second-factor.ts";
import { findSession, type OpenedSession } from "./sessions/session.ts";
import { signIn } from "./sign-in.ts";
import { linkForm, secondFactorForm, signInForm, welcomeForm } from "./view.ts";

type SignIn = { Body: FormFields | undefined; Querystring: Readonly<Record<string, string | string[]>> };
type Shown = {
  readonly title: string;
  readonly content: Html;
  readonly status?: number;
  readonly words?: string;
};

/** How people get in and out: the pages that need no complete session. */
export function mountSignIn(scope: HttpServer, { ctx, files, cookies }: PageParts): void {
  const show = (
    request: FastifyRequest,
    reply: FastifyReply,
    { title, content, status = 200, words }: Shown,
  ) => {
    const notice = words === undefined ? undefined : ({ tone: "bad", words } as const);
    return sendDashboard(
      request,
      reply,
      signInPage({ title, content, notice: notice ?? cookies.hear(request, reply) }, files),
      { status },
    );
  };
  const tokenFor = (request: FastifyRequest, reply: FastifyReply) =>
    formTokenOf(cookies.visitor(request, reply));
  const checked = (request: FastifyRequest<SignIn>): FormFields => {
    const fields = withoutNuls(request.body ?? {});
    refuseForeignForm(request, fields, cookies.read(request), ctx.settings.baseUrl);
    return fields;
  };
  const goOn = (reply: FastifyReply, { session, secret }: OpenedSession, next: string | undefined) => {
    cookies.keep(reply, secret);
    const to = safeNext(next);
    return reply.redirect(
      session.complete ? to : `/dashboard/second-factor?next=${encodeURIComponent(to)}`,
      303,
    );
  };

  scope.get<SignIn>("/dashboard/signin", async (request, reply) => {
    const next = safeNext(lastOfEach(request.query)["next"]);
    const found = await findSession(ctx, cookies.read(request));
    if (found?.session.complete === true) return reply.redirect(next, 303);
    const content = signInForm({ formToken: tokenFor(request, reply), next, email: "", problems: {} });
    return show(request, reply, { title: "Sign in", content });
  });

  scope.post<SignIn>("/dashboard/signin", async (request, reply) => {
    const fields = checked(request);
    const { email = "", password = "", next } = fields;
    return refusedOr(
      async () => goOn(reply, await signIn(ctx, { email, password }, deviceOf(request)), next),
      (refused) => {
        const formToken = tokenFor(request, reply);
        const content = signInForm({ formToken, next: safeNext(next), email, problems: {} });
        return show(request, reply, {
          title: "Sign in",
          content,
          status: refused.status,
          words: refused.words,
        });
      },
    );
  });

  scope.get<SignIn>("/dashboard/second-factor", async (request, reply) => {
    const found = await findSession(ctx, cookies.read(request));
    const next = safeNext(lastOfEach(request.query)["next"]);
    if (found === undefined) return reply.redirect("/dashboard/signin", 303);
    if (found.session.complete) return reply.redirect(next, 303);
    const content = secondFactorForm({ formToken: tokenFor(request, reply), next, problems: {} });
    return show(request, reply, { title: "Second factor", content });
  });

  scope.post<SignIn>("/dashboard/second-factor", async (request, reply) => {
    const { code = "", next } = checked(request);
    const found = await findSession(ctx, cookies.read(request));
    if (found === undefined || found.session.complete) return reply.redirect("/dashboard/signin", 303);
    return refusedOr(
      async () =>
        goOn(reply, await giveSecondFactor(ctx, found.user, found.session, code, deviceOf(request)), next),
      (refused) => {
        const formToken = tokenFor(request, reply);
        const problems = { code: refused.byField["/code"] ?? refused.words };
        const content = secondFactorForm({ formToken, next: safeNext(next), problems });
        return show(request, reply, { title: "Second factor", content, status: refused.status });
      },
    );
  });

  scope.get<SignIn>("/dashboard/welcome", async (request, reply) =>
    show(request, reply, { title: "Welcome", content: linkForm({ formToken: tokenFor(request, reply) }) }),
  );

  /** Looks at the link and asks for what is missing; nothing is used up yet. */
  scope.post<SignIn>("/dashboard/welcome", async (request, reply) => {
    const { link = "" } = checked(request);
    const formToken = tokenFor(request, reply);
    return refusedOr(
      async () => {
        const user = await readInvitation(ctx, link);
        const content = welcomeForm({
          formToken,
          link,
          email: user?.email,
          typed: {},
          name: user?.name ?? "",
          problems: {},
        });
        return show(request, reply, { title: "Welcome", content });
      },
      ({ words, status }) =>
        show(request, reply, { title: "Welcome", content: linkForm({ formToken }), words, status }),
    );
  });

  scope.post<SignIn>("/dashboard/welcome/finish", async (request, reply) => {
    const fields = checked(request);
    const { link = "", email = "", name = "", password = "" } = fields;
    return refusedOr(
      async () =>
        goOn(
          reply,
          await acceptInvitation(ctx, { link, email, name, password }, deviceOf(request)),
          undefined,
        ),
      async (refused) => {
        const formToken = tokenFor(request, reply);
        const gone = refused.byField["/link"];
        if (gone !== undefined)
          return show(request, reply, {
            title: "Welcome",
            content: linkForm({ formToken }),
            words: gone,
            status: refused.status,
          });
        const user = await readInvitation(ctx, link);
        const problems = {
          email: refused.byField["/email"],
          name: refused.byField["/name"],
          password: refused.byField["/password"],
        };
        const content = welcomeForm({
          formToken,
          link,
          email: user?.email,
          typed: { email },
          name,
          problems,
        });
        return show(request, reply, { title: "Welcome", content, status: refused.status });
      },
    );
  });

  scope.post<SignIn>("/dashboard/signout", async (request, reply) => {
    checked(request);
    const found = await findSession(ctx, cookies.read(request));
    if (found !== undefined) await endSessions(ctx, found.user, { only: found.session.id });
    cookies.forget(reply);
    return reply.redirect("/dashboard/signin", 303);
  });
}

async function refusedOr(
  work: () => Promise<FastifyReply>,
  otherwise: (refused: Refused) => FastifyReply | Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    return otherwise(refusedWords(error));
  }
}

function deviceOf(request: FastifyRequest): { readonly agent: string; readonly address: string } {
  return { agent: request.headers["user-agent"] ?? "", address: request.ip };
}

/** Only to a page of ours: a link that signs people in must not send them on to somebody else's. */
function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/dashboard(\/[\w./?=&%:-]*)?$/.test(next) && !next.includes("//")
    ? next
    : "/dashboard";
}
