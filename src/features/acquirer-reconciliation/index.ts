export type { Difference } from "./difference.ts";
export { acquirerReconciliationJobs } from "./jobs.ts";
export { reconcileAccount } from "./reconcile-account.ts";
export { planLateReversal } from "./reverse-late-approval.ts";
