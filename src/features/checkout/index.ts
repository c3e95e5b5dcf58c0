export { abandonSession } from "./abandon-attempt.ts";
export { CHALLENGE_LIFE, RECOVER_JOB } from "./attempt-deadlines.ts";
export { problemsOfPay } from "./card-rules.ts";
export { continuePayment, pay } from "./pay.ts";
export { recoverAttempt } from "./recover-attempt.ts";
export { checkoutRoutes } from "./routes.ts";
export { getSession } from "./session.ts";
export { type PageView, viewPage } from "./view-page.ts";
export type { PayAsk } from "./wire.ts";
