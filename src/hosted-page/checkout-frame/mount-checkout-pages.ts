import type { FastifyReply, FastifyRequest } from "fastify";
import { html } from "../../../browser/ui/html.ts";
import { findMerchant, type Merchant } from "../../features/merchants/index.ts";
import { REPORT_DIRECTIVE } from "../../features/page-reports/index.ts";
import { merchantOfHint } from "../../features/tokens/index.ts";
import { CODES_PAGE } from "../../kernel/codes/present-code.ts";
import type { Catalogue } from "../../kernel/languages/catalogue.ts";
import { LANGUAGES, languageFor } from "../../kernel/languages/languages.ts";
import { refuse } from "../../kernel/refusal.ts";
import { WALLETS } from "../../kernel/wallets.ts";
import { type Asset, makeAsset } from "../../platform/assets/asset.ts";
import {
  assetTable,
  CACHE_FOREVER,
  payIdFiles,
  type ServedAsset,
} from "../../platform/assets/asset-table.ts";
import { type Assets, CHECKOUT_VERSION, markedFrame } from "../../platform/assets/build-assets.ts";
import type { Context } from "../../platform/context.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import { payIdFramePage } from "../payid/frame-page.ts";
import { themeCss, themePath } from "../theme.ts";
import { bankSources } from "./bank-sources.ts";
import { frameInLanguage } from "./frame-in-language.ts";
import { scriptInventory } from "./script-inventory.ts";
import { NO_VENDORS, type VendorSources, vendorSources } from "./vendor-sources.ts";

/** Serves the loader, the frame, and the files that the frame loads. */
export function mountCheckoutPages(server: HttpServer, assets: Assets, ctx: Context): void {
  for (const [path, served] of assetTable(assets)) {
    server.get(path, async (request, reply) => sendStatic(request, reply, served));
  }
  // Scripts in the browser know this origin only; their codes link here.
  server.get(CODES_PAGE, async (_request, reply) => reply.redirect(ctx.settings.baseUrl + CODES_PAGE, 302));
  const inventory = makeAsset(
    `${JSON.stringify({ scripts: scriptInventory(assets) }, null, 2)}\n`,
    "application/json; charset=utf-8",
  );
  server.get("/static/pay/scripts.json", async (request, reply) =>
    sendStatic(request, reply, { asset: inventory, cacheControl: "no-cache" }),
  );
  const frames = `/checkout/${CHECKOUT_VERSION}/:merchantHint/frame`;
  const translated = new Map(LANGUAGES.map((language) => [language, translate(assets, language)]));
  const assetsFor = ({ query, headers }: FastifyRequest<Visit>): Assets =>
    translated.get(languageFor(query.locale, headers["accept-language"])) ?? assets;
  server.get<Visit>(frames, async (request, reply) => {
    const merchant = await merchantOf(ctx, request.params.merchantHint);
    reply.header("Content-Security-Policy", framePolicy(merchant, NO_VENDORS));
    return sendAsset(request, reply, themedFrame(assetsFor(request).checkoutFrame, merchant));
  });
  server.get<Visit>(`${frames}/wallets`, async (request, reply) => {
    const merchant = await merchantOf(ctx, request.params.merchantHint);
    // Without keys the frame offers no wallet, so the policy allows no vendor.
    const offered = WALLETS.filter((wallet) => ctx.connectors.findWallet(merchant, wallet) !== undefined);
    const vendors = vendorSources(merchant, offered);
    reply.header("Content-Security-Policy", framePolicy(merchant, vendors));
    return sendAsset(request, reply, themedFrame(markedFrame(assetsFor(request), vendors.nonce), merchant));
  });
  const files = payIdFiles(assets);
  const panels = new Map(LANGUAGES.map((language) => [language, payIdFramePage(language, files)]));
  server.get<Visit>(`/checkout/${CHECKOUT_VERSION}/:merchantHint/payid`, async (request, reply) => {
    const merchant = await merchantOf(ctx, request.params.merchantHint);
    const { query, headers } = request;
    const panel = panels.get(languageFor(query.locale, headers["accept-language"]));
    if (panel === undefined) throw new Error("a language without its frame");
    reply.header("Content-Security-Policy", framePolicy(merchant, NO_VENDORS));
    return sendAsset(request, reply, themedFrame(panel, merchant));
  });
  // Its address changes with the theme, so browsers may keep it.
  server.get<ThemeVisit>("/static/pay/themes/:merchantHint/:file", async (request, reply) => {
    const merchant = await merchantOf(ctx, request.params.merchantHint);
    if (merchant.theme === null || themePath(merchant) !== request.url) refuse("resource_not_found");
    reply.header("Cache-Control", CACHE_FOREVER);
    return sendAsset(request, reply, makeAsset(themeCss(merchant.theme), "text/css; charset=utf-8"));
  });
}

/** `locale`: what the merchant's page chose for its payer. */
type Visit = { Params: { merchantHint: string }; Querystring: { locale?: string } };
type ThemeVisit = { Params: { merchantHint: string; file: string } };

function translate(assets: Assets, language: Catalogue): Assets {
  return {
    ...assets,
    checkoutFrame: frameInLanguage(assets.checkoutFrame, language, false),
    walletsFrame: frameInLanguage(assets.walletsFrame, language, true),
  };
}

/** The frame with its merchant's own theme, which applies before anything is shown. */
function themedFrame(frame: Asset, { theme }: Merchant): Asset {
  if (theme === null) return frame;
  const page = frame.bytes.toString("utf8");
  // Flat, because the frame has no byte to spare.
  const { variables, ...scheme } = theme;
  const ui = html`<main data-ui="${JSON.stringify({ ...scheme, ...variables })}" `.html;
  return makeAsset(
    page.replace("<main ", () => ui),
    frame.contentType,
  );
}

async function merchantOf(ctx: Context, hint: string): Promise<Merchant> {
  const id = merchantOfHint(hint) ?? refuse("resource_not_found");
  return (await findMerchant(ctx.db, id)) ?? refuse("resource_not_found");
}

/**
 * Any page may embed the frame until the account lists its origins. The policy then omits `frame-ancestors`: `*` would
 * exclude pages without a network address, such as those of an app.
 */
function framePolicy(merchant: Merchant, vendors: VendorSources): string {
  const { allowedOrigins } = merchant;
  return [
    "default-src 'none'",
    ["script-src 'self'", ...vendors.scripts].join(" "),
    ["style-src 'self'", ...vendors.styles].join(" "),
    "img-src 'self' data:",
    ["connect-src 'self'", ...vendors.connections].join(" "),
    ["frame-src 'self'", ...vendors.frames, ...bankSources(merchant).frames].join(" "),
    "form-action 'none'",
    "base-uri 'none'",
    REPORT_DIRECTIVE,
    ...(allowedOrigins.length === 0 ? [] : [`frame-ancestors ${allowedOrigins.join(" ")}`]),
  ].join("; ");
}

function sendStatic(
  request: FastifyRequest,
  reply: FastifyReply,
  { asset, cacheControl }: ServedAsset,
): FastifyReply {
  const tag = `"${asset.hash}"`;
  reply.headers({
    "Cache-Control": cacheControl,
    ETag: tag,
    // A page that checks the script's integrity must be allowed to read it.
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
  });
  if (request.headers["if-none-match"] === tag) return reply.code(304).send();
  return sendAsset(request, reply, asset);
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const gzip = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  reply.headers({ "Content-Type": asset.contentType, Vary: "Accept-Encoding" });
  if (gzip) reply.header("Content-Encoding", "gzip");
  return reply.send(gzip ? asset.gzip : asset.bytes);
}
