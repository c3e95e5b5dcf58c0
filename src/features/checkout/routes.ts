import { WALLETS } from "../../kernel/wallets.ts";
import { type PayerRoute, payerRoute } from "../../platform/http/payer-route.ts";
import { abandonSession } from "./abandon-attempt.ts";
import { beginAppleSession } from "./begin-apple-session.ts";
import { payProblems } from "./card-rules.ts";
import { initialise } from "./initialise.ts";
import { continuePayment, outcome, pay } from "./pay.ts";
import { playWallet } from "./play-wallet.ts";
import { getSession } from "./session.ts";
import { AbandonBody, AppleSessionBody, ContinueBody, InitialiseBody, PayBody, PlayBody } from "./wire.ts";

/** What the checkout's frame may ask, on the hosted origin. */
export const checkoutRoutes: readonly PayerRoute[] = [
  payerRoute({
    path: "/checkout/initialise",
    body: InitialiseBody,
    run: (world, { body }) => initialise(world, body),
  }),
  payerRoute({
    path: "/checkout/pay",
    body: PayBody,
    rules: (body, { world, sound }) => payProblems(body, world.now(), sound),
    run: async (world, { body, session }) => pay(world, await getSession(world, session), body),
  }),
  payerRoute({
    path: "/checkout/continue",
    body: ContinueBody,
    run: async (world, { body, session }) =>
      continuePayment(world, await getSession(world, session), body.sealed),
  }),
  payerRoute({
    path: "/checkout/outcome",
    run: async (world, { session }) => outcome(world, await getSession(world, session)),
  }),
  payerRoute({
    path: "/checkout/abandon",
    body: AbandonBody,
    run: async (world, { body }) => {
      const session = await getSession(world, body.session);
      await abandonSession(world, session);
      return { result: { mode: session.merchant.mode, status: "ok" } };
    },
  }),
  payerRoute({
    path: "/checkout/applepay/session",
    body: AppleSessionBody,
    run: async (world, { body, session }) =>
      beginAppleSession(world, await getSession(world, session), body.validationURL),
  }),
  ...WALLETS.map((wallet) =>
    payerRoute({
      path: `/sandbox/wallets/${wallet}`,
      body: PlayBody,
      run: async (world, { body, session }) =>
        playWallet(world, await getSession(world, session), wallet, body),
    }),
  ),
];
