import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../kernel/refusal.ts";
import { actingAs } from "../../platform/audit/actor.ts";
import { type FormFields, lastOfEach, withoutNuls } from "../../platform/http/form-posts.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import { signInPage } from "../shell/layout.ts";
import { refusedWords } from "../shell/refused.ts";
import type { PageParts } from "../shell/run-page.ts";
import { formTokenOf, refuseForeignForm } from "../shell/same-origin.ts";
import { sendDashboard } from "../shell/send-dashboard.ts";
import { type SignInAnswer, type SignInPage, signInPages } from "./pages.ts";

type SignInRequest = FastifyRequest<{
  Body: FormFields | undefined;
  Querystring: Readonly<Record<string, string | string[]>>;
}>;

/** Mounts the pages that need no complete session. */
export function mountSignIn(scope: HttpServer, parts: PageParts): void {
  for (const page of signInPages) {
    scope.route({
      method: page.method,
      url: `/dashboard${page.path}`,
      handler: async (request, reply) =>
        send(
          parts,
          request,
          reply,
          await actingAs({ actor: null, address: request.ip }, () =>
            run(parts, request as SignInRequest, page),
          ),
        ),
    });
  }
}

async function run(
  { ctx, cookies }: PageParts,
  request: SignInRequest,
  page: SignInPage,
): Promise<SignInAnswer> {
  const secret = cookies.read(request);
  const fields = withoutNuls(request.body ?? {});
  if (page.method === "POST")
    refuseForeignForm({ request, fields, secret, ownUrl: ctx.settings.dashboardUrl });
  const device = { agent: request.headers["user-agent"] ?? "", address: request.ip };
  const visit = { secret, fields, query: lastOfEach(request.query), device };
  try {
    return await page.run(ctx, visit);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500 || page.onRefused === undefined) throw error;
    const refused = refusedWords(error);
    return { status: refused.status, ...(await page.onRefused(ctx, visit, refused)) };
  }
}

function send(
  { files, cookies }: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: SignInAnswer,
): FastifyReply {
  if ("goTo" in answer) {
    if (answer.cookie === "forget") cookies.forget(reply);
    else if (answer.cookie !== undefined) cookies.keep(reply, answer.cookie.secret);
    return reply.redirect(answer.goTo, 303);
  }
  const { title, form, problem, status = 200 } = answer;
  const content = form(formTokenOf(cookies.visitor(request, reply)));
  const notice =
    problem === undefined ? cookies.takeNotice(request, reply) : ({ tone: "bad", words: problem } as const);
  return sendDashboard(request, reply, signInPage({ title, content, notice }, files), { status });
}
