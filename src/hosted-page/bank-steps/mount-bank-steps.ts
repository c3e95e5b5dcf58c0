import type { FastifyReply } from "fastify";
import { html } from "../../../browser/ui/html.ts";
import {
  CHALLENGE_NOTIFICATION_PATH,
  isCres,
  METHOD_NOTIFICATION_PATH,
} from "../../features/checkout/index.ts";
import { makeAsset } from "../../platform/assets/asset.ts";
import { acceptFormsOnly, type FormFields } from "../../platform/http/form-posts.ts";
import type { HttpServer } from "../../platform/http/server.ts";

/** The page from which a frame of the checkout leaves for the bank. */
const HANDOVER_PATH = "/checkout/3ds/handover";
export const DONE_SCRIPT_PATH = "/checkout/3ds/done.js";

/** Notifies the checkout's frame or the hosted page, which is on the same origin, that the bank is done. */
export const DONE_SCRIPT = `if(window.parent!==window)window.parent.postMessage({tidegate:document.body.getAttribute("data-step")+"-done",cres:document.body.getAttribute("data-cres")},window.location.origin);`;
const DONE_INTEGRITY = makeAsset(DONE_SCRIPT, "text/javascript").integrity;

/**
 * The checkout posts a form to the bank from this page, so that no page with a card form may post to other sites. Like the
 * pages below it is in a frame of ours, which is in a merchant's page of any origin: so there is no `frame-ancestors`.
 */
const HANDOVER_POLICY = "default-src 'none'; form-action 'self' https:; base-uri 'none'";
const DONE_POLICY = "default-src 'none'; script-src 'self'; form-action 'none'; base-uri 'none'";

/** Serves both ends of a step at the bank: leaving for it, and the URLs to which the bank posts when it is done. */
export function mountBankSteps(server: HttpServer): void {
  void server.register(async (scope) => {
    acceptFormsOnly(scope);
    scope.get(HANDOVER_PATH, async (_request, reply) =>
      send(reply, HANDOVER_POLICY, bankStepPage({ content: html`<form method="post"></form>` })),
    );
    scope.get(DONE_SCRIPT_PATH, async (_request, reply) =>
      reply.type("text/javascript; charset=utf-8").send(DONE_SCRIPT),
    );
    scope.post(METHOD_NOTIFICATION_PATH, async (_request, reply) =>
      send(reply, DONE_POLICY, bankStepPage({ step: "method" })),
    );
    scope.post<{ Body: FormFields | undefined }>(CHALLENGE_NOTIFICATION_PATH, async (request, reply) => {
      const cres = request.body?.["cres"];
      return send(reply, DONE_POLICY, bankStepPage({ step: "challenge", cres: isCres(cres) ? cres : "" }));
    });
  });
}

type BankStepPage = {
  readonly content?: { readonly html: string };
  /** The step that has ended. */
  readonly step?: "method" | "challenge";
  readonly cres?: string;
};

function bankStepPage({ content, step, cres }: BankStepPage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>One moment</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${step !== undefined && html`<script src="${DONE_SCRIPT_PATH}" integrity="${DONE_INTEGRITY}" defer></script>`}
</head>
<body${step !== undefined && html` data-step="${step}"`}${cres !== undefined && html` data-cres="${cres}"`}>
<main data-state="processing">${content}</main>
</body>
</html>
`.html;
}

function send(reply: FastifyReply, policy: string, page: string): FastifyReply {
  return reply.header("Content-Security-Policy", policy).type("text/html; charset=utf-8").send(page);
}
