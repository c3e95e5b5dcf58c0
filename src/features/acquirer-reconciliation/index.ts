export { acquirerReconciliationJobs } from "./jobs.ts";
export { reconcileAccount } from "./reconcile-account.ts";
export { REVERSE_LATE_JOB } from "./reverse-late-approval.ts";
