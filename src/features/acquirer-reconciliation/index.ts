export { reconcileAccount } from "./reconcile-account.ts";
