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
export { cardTestingChores } from "./jobs.ts";
export { SUSPECTED_PART } from "./queries.ts";
export { beginUncounted, type UncountedAttempt } from "./uncounted-attempts.ts";
