export { receiptJobs } from "./jobs.ts";
export { planReceipt } from "./send-receipt.ts";
