export {
  admitAttempt,
  asPayerSees,
  type Counts,
  forgetAttempt,
  markAttempt,
  settleAttempt,
} from "./admit-attempt.ts";
export { cardTestingChores } from "./jobs.ts";
