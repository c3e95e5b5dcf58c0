export {
  admitAttempt,
  asPayerSees,
  type Counts,
  countsOf,
  forgetAttempt,
  markAttempt,
  rememberCode,
  settleAttempt,
} from "./admit-attempt.ts";
export { type Hold, holdAttempt } from "./calm-attempts.ts";
export { cardTestingChores } from "./jobs.ts";
export { SUSPECTED_PART } from "./queries.ts";
