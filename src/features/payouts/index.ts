export { makePayoutsNow, payWhoIsDue } from "./make-payouts.ts";
export { reconcile } from "./reconcile.ts";
export { payoutRoutes } from "./routes.ts";
