import type { IncomingMessage, ServerResponse } from "node:http";
import { TidegateConnectionError, TidegateError } from "@tidegate/client";
import { errorPage } from "../pages/error.ts";
import type { Shop } from "../shop.ts";
import { receiveWebhook } from "../webhooks/receive.ts";
import { type Answer, page } from "./answer.ts";
import { payerOf } from "./payer.ts";
import { formOf, rawBody } from "./read-body.ts";
import { ROUTES } from "./routes.ts";
import { staticFile } from "./static-files.ts";

export function answerRequests(shop: Shop): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    void answer(shop, request)
      .catch((error: unknown) => errorAnswer(error))
      .then(({ status, headers, body }) => {
        response.writeHead(status, { ...securityHeaders(shop), ...headers }).end(body);
      });
  };
}

async function answer(shop: Shop, request: IncomingMessage): Promise<Answer> {
  const { method = "GET" } = request;
  const url = new URL(request.url ?? "/", shop.settings.url);
  if (method === "POST" && url.pathname === "/webhooks") {
    return {
      status: await receiveWebhook(shop, await rawBody(request), request.headers),
      headers: {},
      body: "",
    };
  }
  const file = method === "GET" ? staticFile(url.pathname) : undefined;
  if (file !== undefined) return file;

  // Refuses forms of other sites.
  const { origin } = request.headers;
  if (method === "POST" && origin !== undefined && origin !== shop.settings.url)
    return page(errorPage("foreign"), 403);
  for (const route of ROUTES) {
    const match = route.method === method ? route.path.exec(url.pathname) : null;
    if (match === null) continue;
    const { id, cookie } = payerOf(request, shop.settings.url);
    const form = method === "POST" ? await formOf(request) : new URLSearchParams();
    const result = await route.answer(shop, {
      payer: id,
      id: match[1] ?? "",
      form,
      query: url.searchParams,
    });
    return cookie === undefined
      ? result
      : { ...result, headers: { ...result.headers, "set-cookie": cookie } };
  }
  return page(errorPage("unknown"), 404);
}

function errorAnswer(error: unknown): Answer {
  // The client's errors contain no key and no card or account number.
  console.error(error);
  if (error instanceof TidegateConnectionError) return page(errorPage("unavailable"), 503);
  return page(
    errorPage(error instanceof TidegateError && error.status === 503 ? "unavailable" : "failed"),
    500,
  );
}

/** Pages may run the gateway's script and show its frame, and use no other third-party origin. */
function securityHeaders({ settings }: Shop): Readonly<Record<string, string>> {
  const gateway = new URL(settings.hostedUrl).origin;
  return {
    "content-security-policy": [
      "default-src 'none'",
      `script-src 'self' ${gateway}`,
      `frame-src ${gateway}`,
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      `form-action 'self' ${gateway}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
  };
}
