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
export { acceptInvitation } from "./links/accept-invitation.ts";
export { makeLink, readInvitation } from "./links/one-time-link.ts";
export { findUser, findUserByEmail, listUsers } from "./queries.ts";
export { removeUser } from "./remove-user.ts";
export { countRecoveryCodes } from "./second-factor/queries.ts";
export {
  beginSecondFactor,
  confirmSecondFactor,
  dropSecondFactor,
  giveSecondFactor,
  giveUpSecondFactor,
  SEALED_SECOND_FACTORS,
} from "./second-factor/second-factor.ts";
export { listSessions } from "./sessions/queries.ts";
export { findSession, type OpenedSession, type UserSession } from "./sessions/session.ts";
export { signIn } from "./sign-in.ts";
