import { refuseAll } from "../../kernel/refusal.ts";
import { WALLETS } from "../../kernel/wallets.ts";
import { clockOf } from "../../platform/context.ts";
import { type PayerRoute, payerRoute } from "../../platform/http/payer-route.ts";
import { abandonSession } from "./abandon-attempt.ts";
import { browserOf } from "./authentication.ts";
import { beginAppleSession } from "./begin-apple-session.ts";
import { payProblems, typedExpiryProblems } from "./card-rules.ts";
import { continuePayment } from "./continue-payment.ts";
import { initialise } from "./initialise.ts";
import { openPayId, readPayIdState } from "./open-payid.ts";
import { pay } from "./pay.ts";
import { readOutcome } from "./read-outcome.ts";
import { removeSavedCard } from "./remove-saved-card.ts";
import { getOpenSession, getPayableSession, getSession } from "./session.ts";
import { simulateWallet } from "./simulate-wallet.ts";
import {
  AbandonBody,
  AppleSessionBody,
  ContinueBody,
  InitialiseBody,
  PayBody,
  PayIdStateBody,
  RemovalBody,
  WalletSheetBody,
} from "./wire.ts";

/** The endpoints of the checkout's frame, on the hosted origin. */
export const checkoutRoutes: readonly PayerRoute[] = [
  payerRoute({
    path: "/checkout/initialise",
    body: InitialiseBody,
    run: (ctx, { body, visitor }) => initialise(ctx, body, visitor.acceptLanguage),
  }),
  payerRoute({
    path: "/checkout/pay",
    body: PayBody,
    rules: (body, { sound }) => payProblems(body, sound),
    lookUp: async (body, { ctx, sound, session: secret }) => {
      const session = await getSession(ctx, secret).catch(() => undefined);
      return session === undefined ? [] : typedExpiryProblems(body, clockOf(ctx, session.merchant), sound);
    },
    run: async (ctx, { body, session: secret, visitor }) => {
      const session = await getPayableSession(ctx, secret);
      refuseAll(typedExpiryProblems(body, clockOf(ctx, session.merchant)));
      return pay(ctx, session, body, { browser: browserOf(visitor, body.browser) });
    },
  }),
  payerRoute({
    path: "/checkout/continue",
    body: ContinueBody,
    run: async (ctx, { body, session }) => continuePayment(ctx, await getSession(ctx, session), body),
  }),
  payerRoute({
    path: "/checkout/outcome",
    run: async (ctx, { session }) => readOutcome(ctx, await getSession(ctx, session)),
  }),
  payerRoute({
    path: "/checkout/abandon",
    body: AbandonBody,
    run: async (ctx, { body }) => {
      const session = await getSession(ctx, body.session);
      await abandonSession(ctx, session);
      return { result: { mode: session.merchant.mode, status: "ok" } };
    },
  }),
  payerRoute({
    path: "/checkout/remove-card",
    body: RemovalBody,
    run: async (ctx, { body, session: secret }) => {
      const session = await getSession(ctx, secret);
      await removeSavedCard(ctx, session, body.id);
      return { result: { mode: session.merchant.mode, status: "ok" } };
    },
  }),
  payerRoute({
    path: "/checkout/payid",
    body: InitialiseBody,
    run: (ctx, { body, visitor }) => openPayId(ctx, body, visitor.acceptLanguage),
  }),
  payerRoute({
    path: "/checkout/payid/state",
    body: PayIdStateBody,
    run: (ctx, { body, session }) => readPayIdState(ctx, session, body.language),
  }),
  payerRoute({
    path: "/checkout/applepay/session",
    body: AppleSessionBody,
    run: async (ctx, { body, session }) =>
      beginAppleSession(ctx, await getOpenSession(ctx, session), body.validationURL),
  }),
  ...WALLETS.map((wallet) =>
    payerRoute({
      path: `/sandbox/wallets/${wallet}`,
      body: WalletSheetBody,
      run: async (ctx, { body, session }) =>
        simulateWallet(ctx, await getOpenSession(ctx, session), wallet, body),
    }),
  ),
];
