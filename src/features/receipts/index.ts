export { receiptJobs } from "./jobs.ts";
export { keepLanguage, planReceipt } from "./send-receipt.ts";
