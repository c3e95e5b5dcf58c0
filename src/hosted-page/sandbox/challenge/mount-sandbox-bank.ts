import type { SandboxChallenges } from "../../../connectors/ports/sandbox-controls.ts";
import { SANDBOX_BANK_PATH } from "../../../connectors/sandbox/sandbox-three-d-secure.ts";
import { refuse } from "../../../kernel/refusal.ts";
import { acceptFormsOnly } from "../../../platform/http/form-posts.ts";
import type { HttpServer } from "../../../platform/http/server.ts";
import { bankPage, challengeBody, DONE_BODY } from "./page.ts";
import { BANK_CSS } from "./style.ts";

const STYLE = `${SANDBOX_BANK_PATH}/style.css`;
export const DONE_SCRIPT_PATH = `${SANDBOX_BANK_PATH}/done.js`;

/** Notifies the checkout's frame, which is on the same origin, that the payer has answered. */
export const DONE_SCRIPT = `if(window.parent!==window)window.parent.postMessage({tidegate:"challenge-done"},window.location.origin);`;

/** The page is in the checkout's frame, which is in a merchant's page of any origin: so there is no `frame-ancestors`. */
const CSP = "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'";

/** In the full window, the form redirects to the payment's page and from there to the merchant's site. */
const WINDOW_CSP = CSP.replace("form-action 'self'", "form-action 'self' http: https:");

/** Serves the simulated bank of 3D Secure, where a payer passes or fails a challenge. */
export function mountSandboxBank(server: HttpServer, challenges: SandboxChallenges): void {
  void server.register(async (scope) => {
    acceptFormsOnly(scope);
    const challengePath = `${SANDBOX_BANK_PATH}/:challengeKey`;

    scope.get(STYLE, async (_request, reply) => reply.type("text/css; charset=utf-8").send(BANK_CSS));
    scope.get(DONE_SCRIPT_PATH, async (_request, reply) =>
      reply.type("text/javascript; charset=utf-8").send(DONE_SCRIPT),
    );

    scope.get<{ Params: { challengeKey: string } }>(challengePath, async (request, reply) => {
      const challenge = (await challenges.find(request.params.challengeKey)) ?? refuse("resource_not_found");
      if (challenge.answered && challenge.returnTo !== undefined)
        return reply.redirect(challenge.returnTo, 303);
      const page = challenge.answered
        ? bankPage({ state: "closed", body: DONE_BODY }, STYLE, DONE_SCRIPT_PATH)
        : bankPage(
            { state: "challenge", body: challengeBody(`$${(challenge.amount / 100).toFixed(2)}`) },
            STYLE,
            undefined,
          );
      return reply
        .header("Content-Security-Policy", challenge.returnTo === undefined ? CSP : WINDOW_CSP)
        .type("text/html; charset=utf-8")
        .send(page);
    });

    scope.post<{ Params: { challengeKey: string }; Body: { answer?: string } }>(
      challengePath,
      async (request, reply) => {
        const { answer } = request.body ?? {};
        if (answer !== "approve" && answer !== "fail") refuse("body_json_malformed");
        const { challengeKey } = request.params;
        if (!(await challenges.answer(challengeKey, answer === "approve"))) refuse("resource_not_found");
        const returnTo = (await challenges.find(challengeKey))?.returnTo;
        if (returnTo !== undefined) return reply.redirect(returnTo, 303);
        const page = bankPage({ state: "closed", body: DONE_BODY }, STYLE, DONE_SCRIPT_PATH);
        return reply.header("Content-Security-Policy", CSP).type("text/html; charset=utf-8").send(page);
      },
    );
  });
}
