import type { FastifyReply, FastifyRequest } from "fastify";
import { findMerchant } from "../../features/merchants/index.ts";
import { merchantOfHint } from "../../features/tokens/index.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Asset } from "../../platform/assets/asset.ts";
import { assetTable, type ServedAsset } from "../../platform/assets/asset-table.ts";
import { type Assets, CHECKOUT_VERSION } from "../../platform/assets/build-assets.ts";
import type { HttpServer } from "../../platform/http/server.ts";
import type { World } from "../../platform/world.ts";

/** The loader, the frame, and what the frame loads. */
export function mountCheckoutPages(server: HttpServer, assets: Assets, world: World): void {
  for (const [path, served] of assetTable(assets)) {
    server.get(path, async (request, reply) => sendStatic(request, reply, served));
  }
  server.get<{ Params: { merchantHint: string } }>(
    `/checkout/${CHECKOUT_VERSION}/:merchantHint/frame`,
    async (request, reply) => {
      const id = merchantOfHint(request.params.merchantHint) ?? refuse("V11010");
      const merchant = (await findMerchant(world.db, id)) ?? refuse("V11010");
      reply.header("Content-Security-Policy", framePolicy(merchant.allowedOrigins));
      return sendAsset(request, reply, assets.checkoutFrame);
    },
  );
}

/**
 * Who may put the frame into a page: any page, until the account names its own. There is no word for "any" here: `*`
 * would leave out pages without a network address, such as those of an app.
 */
function framePolicy(allowedOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
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
    // A page that checks the script's integrity has to be allowed to read it.
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
