import type { FastifyReply } from "fastify";
import type { Challenge, SandboxChallenges } from "../../../connectors/ports/sandbox-controls.ts";
import {
  SANDBOX_BANK_PATH,
  SANDBOX_METHOD_PATH,
} from "../../../connectors/sandbox/sandbox-three-d-secure.ts";
import { decodeMessage } from "../../../connectors/sandbox/three-d-secure-messages.ts";
import { refuse } from "../../../kernel/refusal.ts";
import { makeAsset } from "../../../platform/assets/asset.ts";
import { acceptFormsOnly, type FormFields } from "../../../platform/http/form-posts.ts";
import type { HttpServer } from "../../../platform/http/server.ts";
import { bankPage, challengeBody, returnBody } from "./page.ts";
import { BANK_CSS } from "./style.ts";

const STYLE = `${SANDBOX_BANK_PATH}/style.css`;
export const RETURN_SCRIPT_PATH = `${SANDBOX_BANK_PATH}/return.js`;

/** Posts the bank's message to the gateway, after the seconds that the form names. */
export const RETURN_SCRIPT = `var form=document.forms[0];setTimeout(function(){form.submit()},form.getAttribute("data-seconds")*1000);`;
const RETURN_INTEGRITY = makeAsset(RETURN_SCRIPT, "text/javascript").integrity;

/** The page is in the checkout's frame, which is in a merchant's page of any origin: so there is no `frame-ancestors`. */
const CSP = "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'";

/** In the full window, the form redirects to the payment's page and from there to the merchant's site. */
const WINDOW_CSP = CSP.replace("form-action 'self'", "form-action 'self' http: https:");

/** The longest that the page of the method step waits: more than the protocol allows. */
const LONGEST_METHOD = 60;

type ChallengeVisit = { Params: { challengeKey: string }; Body: FormFields | undefined };

/** Serves the simulated bank of 3D Secure: it looks at the payer's browser, or has the payer pass or fail a challenge. */
export function mountSandboxBank(server: HttpServer, challenges: SandboxChallenges): void {
  void server.register(async (scope) => {
    acceptFormsOnly(scope);
    const challengePath = `${SANDBOX_BANK_PATH}/:challengeKey`;

    scope.get(STYLE, async (_request, reply) => reply.type("text/css; charset=utf-8").send(BANK_CSS));
    scope.get(RETURN_SCRIPT_PATH, async (_request, reply) =>
      reply.type("text/javascript; charset=utf-8").send(RETURN_SCRIPT),
    );

    /** The method step: the page "looks at the browser" for the seconds in its path, then posts to the gateway. */
    scope.post<{ Params: { seconds: string }; Body: FormFields | undefined }>(
      `${SANDBOX_METHOD_PATH}/:seconds`,
      async (request, reply) => {
        const seconds = Number(request.params.seconds);
        const { threeDSMethodData = "" } = request.body ?? {};
        const { threeDSServerTransID, threeDSMethodNotificationURL } = decodeMessage(threeDSMethodData);
        if (!(seconds >= 0 && seconds <= LONGEST_METHOD)) refuse("resource_not_found");
        if (threeDSServerTransID === undefined || threeDSMethodNotificationURL === undefined)
          refuse("body_json_malformed");
        const fields = { threeDSMethodData };
        return sendPage(reply, CSP, {
          state: "processing",
          body: returnBody({ action: pathOf(threeDSMethodNotificationURL), fields, seconds }),
        });
      },
    );

    scope.get<ChallengeVisit>(challengePath, async (request, reply) =>
      sendChallenge(
        reply,
        (await challenges.find(request.params.challengeKey)) ?? refuse("resource_not_found"),
      ),
    );

    /** The gateway's frame posts a `creq`; the page's own form posts the payer's answer. */
    scope.post<ChallengeVisit>(challengePath, async (request, reply) => {
      const { challengeKey } = request.params;
      const { creq, answer } = request.body ?? {};
      if (creq !== undefined) {
        if (decodeMessage(creq)["acsTransID"] !== challengeKey) refuse("body_json_malformed");
      } else {
        if (answer !== "approve" && answer !== "fail") refuse("body_json_malformed");
        if (!(await challenges.answer(challengeKey, answer === "approve"))) refuse("resource_not_found");
      }
      return sendChallenge(reply, (await challenges.find(challengeKey)) ?? refuse("resource_not_found"));
    });
  });
}

/** The challenge; once it is answered, the way back to the gateway with the message about it. */
function sendChallenge(
  reply: FastifyReply,
  { amount, cres, notificationUrl, isWindow }: Challenge,
): FastifyReply {
  const action = pathOf(notificationUrl);
  const policy = isWindow ? WINDOW_CSP : CSP;
  if (cres === undefined) {
    return sendPage(reply, policy, {
      state: "challenge",
      body: challengeBody(`$${(amount / 100).toFixed(2)}`),
    });
  }
  if (isWindow) return reply.redirect(`${action}?cres=${cres}`, 303);
  return sendPage(reply, policy, {
    state: "closed",
    body: returnBody({ action, fields: { cres }, seconds: 0 }),
  });
}

/** The bank is on the gateway's own origin, under whichever name the payer's browser knows it. */
function pathOf(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  return /^\/\w/.test(path) ? path : refuse("body_json_malformed");
}

function sendPage(reply: FastifyReply, policy: string, page: Parameters<typeof bankPage>[0]): FastifyReply {
  const script =
    page.state === "challenge" ? undefined : { path: RETURN_SCRIPT_PATH, integrity: RETURN_INTEGRITY };
  return reply
    .header("Content-Security-Policy", policy)
    .type("text/html; charset=utf-8")
    .send(bankPage(page, STYLE, script));
}
