export { acquirerReconciliationJobs } from "./jobs.ts";
export { reconcileAccount } from "./reconcile-account.ts";
export { planLateReversal } from "./reverse-late-approval.ts";
