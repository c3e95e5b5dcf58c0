export { changePassword, changeUser, endSessions } from "./change-user.ts";
export {
  type DashboardUser,
  mayDo,
  maySee,
  type Right,
  ROLES,
  type Role,
} from "./dashboard-user.ts";
export { forgetOldSessions } from "./forget-old.ts";
export { inviteUser } from "./invite-user.ts";
export { lookAtLink, makeLink } from "./one-time-link.ts";
export { countRecoveryCodes, findUser, findUserByEmail, listSessions, listUsers } from "./queries.ts";
export { removeUser } from "./remove-user.ts";
export {
  beginSecondFactor,
  confirmSecondFactor,
  dropSecondFactor,
  giveSecondFactor,
  giveUpSecondFactor,
  SEALED_SECOND_FACTORS,
} from "./second-factor.ts";
export { findSession, type OpenedSession, type UserSession } from "./session.ts";
export { signIn } from "./sign-in.ts";
export { takeUpLink } from "./take-up-link.ts";
