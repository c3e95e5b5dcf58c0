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
export { isAnySuspected } from "./queries.ts";
export { beginUncounted, type UncountedAttempt } from "./uncounted-attempts.ts";
