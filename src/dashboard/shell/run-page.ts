import type { FastifyReply, FastifyRequest } from "fastify";
import { html } from "../../../browser/ui/html.ts";
import { REFRESH_HEADER } from "../../../browser/ui/refresh-header.ts";
import {
  type Caller,
  findMerchant,
  hasOpenLiveMerchant,
  type Merchant,
  searchMerchants,
  zoneOf,
} from "../../features/merchants/index.ts";
import { requireId } from "../../kernel/ids.ts";
import { Refusal, refuse } from "../../kernel/refusal.ts";
import { actingAs } from "../../platform/audit/actor.ts";
import { record } from "../../platform/audit/queries.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { type FormFields, lastOfEach, withoutNuls } from "../../platform/http/form-posts.ts";
import { compilePathIds } from "../../platform/http/route.ts";
import type { RunRoute } from "../../platform/http/run-route.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import { isStreamed, streamText } from "../../platform/http/stream-text.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { findSession } from "../access/sessions/session.ts";
import { mayDo, maySee, PROOF_LIFE } from "../access/users/user.ts";
import type { Cookies } from "./cookies.ts";
import { type DashboardFiles, dashboardPage, merchantBase, type Viewer } from "./layout.ts";
import type { MerchantPage, MerchantVisit, OwnPage, Page, PageAnswer, Visit } from "./page.ts";
import { refusedWords } from "./refused.ts";
import { formTokenOf, refuseForeignForm } from "./same-origin.ts";
import { sendDashboard } from "./send-dashboard.ts";

export type PageParts = {
  readonly ctx: Context;
  readonly files: DashboardFiles;
  readonly cookies: Cookies;
  readonly callApi: RunRoute<Caller>;
};

type Exchange = PageParts & { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** An operator with more merchants than this searches for them instead of choosing from a list. */
const MERCHANTS_TO_SWITCH = 50;

export function mountOwnPage(scope: HttpServer, page: OwnPage, parts: PageParts): void {
  const answer = answerer(page);
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const exchange = { ...parts, request, reply };
    const visit = await openVisit(exchange);
    return visit === undefined ? reply : answer(exchange, visit);
  };
  scope.route({ method: page.method, url: ownUrl(page.path), handler });
}

export function mountMerchantPage(scope: HttpServer, page: MerchantPage, parts: PageParts): void {
  const answer = answerer(page);
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const exchange = { ...parts, request, reply };
    const visit = await openVisit(exchange);
    return visit === undefined ? reply : answer(exchange, await atMerchant(exchange, visit));
  };
  scope.route({ method: page.method, url: merchantUrl(page.path), handler });
}

/** The router's form of a page's path. */
export function ownUrl(path: string): string {
  return `/dashboard${path}`.replace(/(?<=.)\/$/, "").replace(/\{(\w+)\}/g, ":$1");
}

export function merchantUrl(path: string): string {
  return ownUrl(`/{merchantId}${path}`);
}

/** Undefined when there is no complete session: then the reply redirects to the sign-in page. */
async function openVisit({ ctx, cookies, request, reply }: Exchange): Promise<Visit | undefined> {
  const secret = cookies.read(request);
  const found = await findSession(ctx, secret, request.headers[REFRESH_HEADER] === undefined);
  if (found === undefined || !found.session.isComplete) {
    const posted = request.method !== "GET";
    const from = posted ? pageOfForm(request) : request.url;
    const next = from === undefined ? "" : `?next=${encodeURIComponent(from)}`;
    if (posted)
      cookies.setNotice(reply, { tone: "info", words: "Your session has ended, so nothing was done." });
    await reply.redirect(
      found === undefined ? `/dashboard/signin${next}` : `/dashboard/second-factor${next}`,
      303,
    );
    return undefined;
  }
  if (!request.url.startsWith(FACTOR_SETUP) && (await lacksFactor(ctx, found.user))) {
    cookies.setNotice(reply, {
      tone: "info",
      words: "This gateway requires a second factor. Set it up to continue.",
    });
    await reply.redirect(FACTOR_SETUP, 303);
    return undefined;
  }
  const fields = withoutNuls((request.body ?? {}) as FormFields);
  if (request.method === "POST")
    refuseForeignForm({ request, fields, secret, ownUrl: ctx.settings.dashboardUrl });
  return {
    ...found,
    formToken: formTokenOf(secret),
    params: {},
    query: withoutNuls(lastOfEach(request.query as Record<string, string | string[]>)),
    fields,
    address: request.ip,
    may: (right) => mayDo(found.user, right),
  };
}

/** The page that held the form, by the Referer header. The sign-in page checks that it is one of ours. */
function pageOfForm({ headers }: FastifyRequest): string | undefined {
  const page = URL.parse(headers.referer ?? "");
  return page === null ? undefined : page.pathname + page.search;
}

const FACTOR_SETUP = "/dashboard/account/second-factor";

/** Until a user who must have a second factor has set it up, no other page opens. */
async function lacksFactor({ settings, db }: Context, user: Visit["user"]): Promise<boolean> {
  if (user.totpConfirmed || settings.secondFactor === "optional") return false;
  return settings.secondFactor === "required" || (mayDo(user, "manage") && (await hasOpenLiveMerchant(db)));
}

async function atMerchant({ ctx, callApi, request }: Exchange, visit: Visit): Promise<MerchantVisit> {
  const id = requireId("merchant", paramsOf(request)["merchantId"] ?? "");
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
  const [now, zone, base] = [clockOf(ctx, merchant), zoneOf(merchant), merchantBase(id)];
  return { ...visit, merchant, now, zone, caller, callApi, base };
}

function answerer<Seen extends Visit>(page: Page<Seen>) {
  const readIds = compilePathIds(page.path);
  return async (exchange: Exchange, visit: Seen): Promise<FastifyReply> => {
    if (!visit.may(page.right)) refuse("dashboard_role_missing");
    const at = { ...visit, params: readIds(paramsOf(exchange.request)) ?? refuse("resource_not_found") };
    const isSensitive = (await page.isSensitive?.(exchange.ctx, at)) === true;
    if (isSensitive && !visit.may("manage")) refuse("dashboard_role_missing");
    const isProven = exchange.ctx.now() - visit.session.authenticatedAt < PROOF_LIFE;
    if ((page.needsProof === true || isSensitive) && !isProven)
      return send(exchange, visit, askForProof(exchange.request, page.backTo?.(at)));
    return send(
      exchange,
      visit,
      await actingAs({ actor: visit.user.id, address: visit.address }, () =>
        page.method === "GET" ? page.run(exchange.ctx, at) : act(exchange, page, at),
      ),
    );
  };
}

/** The form is lost: its fields may be secret, and a page that repeats them could be used to trick the user. */
function askForProof(request: FastifyRequest, backTo: string | undefined): PageAnswer {
  const path = request.url.split("?", 1)[0] ?? "";
  const next = backTo ?? pageOfForm(request) ?? path.replace(/\/[^/]*$/, "");
  return {
    goTo: `/dashboard/account/confirm?next=${encodeURIComponent(next)}`,
    notice: {
      tone: "info",
      words: "Nothing was done yet. Confirm that it is you, then send the form again.",
    },
  };
}

async function send(exchange: Exchange, visit: Visit, found: PageAnswer): Promise<FastifyReply> {
  const { ctx, cookies, request, reply } = exchange;
  if ("goTo" in found) {
    if (found.notice !== undefined) cookies.setNotice(reply, found.notice);
    return reply.redirect(found.goTo, 303);
  }
  if ("file" in found) {
    const disposition = `attachment; filename="${found.name}"`;
    const file = isStreamed(found.file) ? streamText(found.file) : found.file;
    return reply.headers({ "Content-Type": found.type, "Content-Disposition": disposition }).send(file);
  }
  const notice = found.notice ?? cookies.takeNotice(request, reply);
  const viewer = await viewerOf(ctx, visit);
  const { title, section, content, status, allow } = found;
  const refused = status !== undefined && status >= 400;
  const shown = dashboardPage({ title, section, content, viewer, notice, refused }, exchange.files);
  return sendDashboard(request, reply, shown, { status, allow });
}

function paramsOf(request: FastifyRequest): Readonly<Record<string, string>> {
  return request.params as Readonly<Record<string, string>>;
}

/** Runs a submitted form: recorded in the audit log first; a refusal shows the form again, in words. */
async function act<Seen extends Visit>(
  { ctx, request }: Exchange,
  page: Page<Seen>,
  visit: Seen,
): Promise<PageAnswer> {
  const merchant = merchantOf(visit);
  const entry = {
    merchantId: merchant?.id ?? visit.user.merchantId,
    subjectId: visit.user.id,
    detail: `${page.audit ?? page.path} ${Object.values(visit.params).join(" ")}`.trim().slice(0, 200),
  };
  await record(ctx.db, { act: "user_acted", ...entry }, ctx.now());
  const back = page.backTo?.(visit) ?? request.url.split("?", 1)[0]?.replace(/\/[^/]*$/, "") ?? "/dashboard";
  try {
    if (page.claimsOnce === true && "caller" in visit) {
      await claimKey(ctx.db, (visit as unknown as MerchantVisit).caller, { id: null, path: null });
    }
    const answer = await page.run(ctx, visit);
    if ("content" in answer && answer.status !== undefined && answer.status >= 400)
      await record(ctx.db, { act: "user_act_refused", ...entry }, ctx.now());
    return answer;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 404 || error.status >= 500) throw error;
    if (error.problems[0]?.code === "header_idempotency_key_is_used") {
      return { goTo: back, notice: { tone: "info", words: "This form was sent twice. It was done once." } };
    }
    await record(ctx.db, { act: "user_act_refused", ...entry }, ctx.now());
    const refused = refusedWords(error);
    if (page.onRefused === undefined) return { goTo: back, notice: { tone: "bad", words: refused.words } };
    const again = await page.onRefused(ctx, visit, refused);
    if (!("content" in again)) return again;
    const unseen = refused.sentences.filter((words) => !again.content.html.includes(html`${words}`.html));
    const notice = unseen.length === 0 ? {} : { notice: { tone: "bad", words: unseen.join(" ") } as const };
    return { status: refused.status, ...again, ...notice };
  }
}

function merchantOf(visit: Visit): Merchant | undefined {
  return "merchant" in visit ? (visit as MerchantVisit).merchant : undefined;
}

async function viewerOf(ctx: Context, visit: Visit): Promise<Viewer> {
  const { user, formToken } = visit;
  const merchant = merchantOf(visit);
  const all =
    user.role === "operator" && merchant !== undefined
      ? await searchMerchants(ctx.db, { atMost: MERCHANTS_TO_SWITCH + 1 })
      : [];
  const merchants = all.length > MERCHANTS_TO_SWITCH ? [] : all;
  return { name: user.name, role: user.role, formToken, merchant, merchants };
}
