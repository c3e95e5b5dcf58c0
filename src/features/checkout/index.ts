export { RECOVER_JOB } from "./attempt-deadlines.ts";
export { recoverAttempt } from "./recover-attempt.ts";
export { checkoutRoutes } from "./routes.ts";
