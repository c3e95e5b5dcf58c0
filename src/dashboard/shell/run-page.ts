import type { FastifyReply, FastifyRequest } from "fastify";
import { type Caller, findMerchant, listMerchants, type Merchant } from "../../features/merchants/index.ts";
import { parseId } from "../../kernel/ids.ts";
import { Refusal, refuse } from "../../kernel/refusal.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import { type FormFields, lastOfEach, withoutNuls } from "../../platform/http/form-posts.ts";
import type { RunRoute } from "../../platform/http/run-route.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { findSession } from "../sign-in/sessions/session.ts";
import { mayDo, maySee } from "../users/user.ts";
import type { Cookies } from "./cookies.ts";
import { type DashboardFiles, dashboardPage, merchantBase, type Viewer } from "./layout.ts";
import { refusedWords } from "./refused.ts";
import { formTokenOf, refuseForeignForm } from "./same-origin.ts";
import { sendDashboard } from "./send-dashboard.ts";
import type { MerchantPage, MerchantVisit, OwnPage, PageAnswer, Visit } from "./visit.ts";

export type PageParts = {
  readonly ctx: Context;
  readonly files: DashboardFiles;
  readonly cookies: Cookies;
  readonly callApi: RunRoute<Caller>;
};

/** More than this many are not chosen from a list but looked for on a page of their own. */
const MERCHANTS_TO_SWITCH = 50;

export function mountOwnPage(scope: HttpServer, page: OwnPage, parts: PageParts): void {
  mount(scope, page, `/dashboard${page.path}`, async (request, reply) => {
    const visit = await letIn(parts, request, reply);
    if (visit === undefined) return reply;
    return answer(parts, request, reply, page, visit);
  });
}

export function mountMerchantPage(scope: HttpServer, page: MerchantPage, parts: PageParts): void {
  mount(scope, page, `/dashboard/:merchantId${page.path}`, async (request, reply) => {
    const visit = await letIn(parts, request, reply);
    if (visit === undefined) return reply;
    return answer(parts, request, reply, page, await atMerchant(parts, visit, request));
  });
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function mount(
  scope: HttpServer,
  { method }: { method: "GET" | "POST" },
  url: string,
  handler: Handler,
): void {
  scope.route({ method, url: url.replace(/(?<=.)\/$/, ""), handler });
}

/** Somebody with a complete session, or undefined: then the way to the door was answered. */
async function letIn(
  { ctx, cookies }: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit | undefined> {
  const secret = cookies.read(request);
  const found = await findSession(ctx, secret);
  if (found === undefined || !found.session.complete) {
    const posted = request.method !== "GET";
    const from = posted ? pageOfForm(request) : request.url;
    const next = from === undefined ? "" : `?next=${encodeURIComponent(from)}`;
    if (posted) cookies.say(reply, { tone: "info", words: "Your session has ended, so nothing was done." });
    await reply.redirect(
      found === undefined ? `/dashboard/signin${next}` : `/dashboard/second-factor${next}`,
      303,
    );
    return undefined;
  }
  if (lacksFactor(ctx, found.user) && !request.url.startsWith(FACTOR_SETUP)) {
    cookies.say(reply, {
      tone: "info",
      words: "This gateway asks everybody for a second factor. Set it up to go on.",
    });
    await reply.redirect(FACTOR_SETUP, 303);
    return undefined;
  }
  const fields = withoutNuls((request.body ?? {}) as FormFields);
  if (request.method === "POST") refuseForeignForm(request, fields, secret, ctx.settings.baseUrl);
  return {
    ...found,
    formToken: formTokenOf(secret),
    params: request.params as Record<string, string>,
    query: withoutNuls(lastOfEach(request.query as Record<string, string | string[]>)),
    fields,
    address: request.ip,
    agent: request.headers["user-agent"] ?? "",
    may: (right) => mayDo(found.user, right),
  };
}

/** The page that a form stood on, as the browser names it. Whether it is one of ours is looked at where it is used. */
function pageOfForm({ headers }: FastifyRequest): string | undefined {
  const page = URL.parse(headers.referer ?? "");
  return page === null ? undefined : page.pathname + page.search;
}

const FACTOR_SETUP = "/dashboard/account/second-factor";

/** The operator may ask for one of everybody; until it is set up, no other page opens. */
function lacksFactor({ settings }: Context, { totpConfirmed }: Visit["user"]): boolean {
  return settings.secondFactor === "required" && !totpConfirmed;
}

async function atMerchant(
  { ctx, callApi }: PageParts,
  visit: Visit,
  request: FastifyRequest,
): Promise<MerchantVisit> {
  const id = parseId("merchant", visit.params["merchantId"] ?? "") ?? refuse("resource_not_found");
  const merchant = maySee(visit.user, id) ? await findMerchant(ctx.db, id) : undefined;
  if (merchant === undefined) refuse("resource_not_found");
  const once = visit.fields["once"];
  const caller = {
    keyId: visit.user.id,
    merchantId: id,
    merchant,
    mode: merchant.mode,
    scopes: [
      ...(visit.may("act") ? (["read", "write"] as const) : (["read"] as const)),
      ...(visit.may("manage") ? (["admin"] as const) : []),
    ],
    requestId: request.id,
    idempotencyKey: once === undefined || !/^[0-9a-f]{32}$/.test(once) ? undefined : `dashboard-${once}`,
  };
  return { ...visit, merchant, caller, callApi, base: merchantBase(id) };
}

type AnyPage<Seen extends Visit> = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly may: OwnPage["may"];
  readonly audit?: string;
  readonly claimsOnce?: true;
  readonly run: (ctx: Context, visit: Seen) => Promise<PageAnswer>;
  readonly again?: (
    ctx: Context,
    visit: Seen,
    refused: ReturnType<typeof refusedWords>,
  ) => Promise<PageAnswer>;
  readonly back?: (visit: Seen) => string;
};

async function answer<Seen extends Visit>(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  page: AnyPage<Seen>,
  visit: Seen,
): Promise<FastifyReply> {
  if (!visit.may(page.may)) refuse("dashboard_role_missing");
  const found =
    page.method === "GET" ? await page.run(parts.ctx, visit) : await act(parts.ctx, request, page, visit);
  if ("goTo" in found) {
    if (found.say !== undefined) parts.cookies.say(reply, found.say);
    return reply.redirect(found.goTo, 303);
  }
  if ("file" in found) {
    const disposition = `attachment; filename="${found.name}"`;
    return reply.headers({ "Content-Type": found.type, "Content-Disposition": disposition }).send(found.file);
  }
  const notice = found.notice ?? parts.cookies.hear(request, reply);
  const viewer = await viewerOf(parts.ctx, visit);
  const { title, section, content, status, allow } = found;
  const refused = status !== undefined && status >= 400;
  const shown = dashboardPage({ title, section, content, viewer, notice, refused }, parts.files);
  return sendDashboard(request, reply, shown, {
    ...(status === undefined ? {} : { status }),
    ...(allow === undefined ? {} : { allow }),
  });
}

/** Does what a form asks for: on record first, and a refusal leads back to the form in words. */
async function act<Seen extends Visit>(
  ctx: Context,
  request: FastifyRequest,
  page: AnyPage<Seen>,
  visit: Seen,
): Promise<PageAnswer> {
  const merchant = merchantOf(visit);
  const entry = {
    merchantId: merchant?.id ?? visit.user.merchantId,
    subjectId: visit.user.id,
    detail: `${page.audit ?? page.path} ${Object.values(visit.params).join(" ")}`.trim().slice(0, 200),
  };
  await record(ctx.db, { act: "user_acted", ...entry }, ctx.now());
  const back = page.back?.(visit) ?? request.url.split("?", 1)[0]?.replace(/\/[^/]*$/, "") ?? "/dashboard";
  try {
    if (page.claimsOnce === true && "caller" in visit) {
      await claimKey(ctx.db, (visit as unknown as MerchantVisit).caller, { id: null, path: null });
    }
    return await page.run(ctx, visit);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 404 || error.status >= 500) throw error;
    if (error.problems[0]?.code === "header_idempotency_key_is_used") {
      return { goTo: back, say: { tone: "info", words: "This form was sent twice. It was done once." } };
    }
    await record(ctx.db, { act: "user_act_refused", ...entry }, ctx.now());
    const refused = refusedWords(error);
    if (page.again === undefined) return { goTo: back, say: { tone: "bad", words: refused.words } };
    const again = await page.again(ctx, visit, refused);
    return "goTo" in again ? again : { status: refused.status, ...again };
  }
}

function merchantOf(visit: Visit): Merchant | undefined {
  return "merchant" in visit ? (visit as MerchantVisit).merchant : undefined;
}

async function viewerOf(ctx: Context, visit: Visit): Promise<Viewer> {
  const { user, formToken } = visit;
  const merchant = merchantOf(visit);
  const all = user.role === "operator" && merchant !== undefined ? await listMerchants(ctx.db) : [];
  const merchants = all.length > MERCHANTS_TO_SWITCH ? [] : all;
  return { name: user.name, role: user.role, formToken, merchant, merchants };
}
