export { receiptJobs } from "./jobs.ts";
export { keepLanguage, languageToKeep, receiptOf } from "./send-receipt.ts";
