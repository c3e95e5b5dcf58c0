export { advanceClock } from "./advance-clock.ts";
export { sandboxJobs } from "./move-work.ts";
export { payInSandbox } from "./pay-in-sandbox.ts";
export { sandboxRoutes } from "./routes.ts";
export { runSettlements } from "./run-settlements.ts";
