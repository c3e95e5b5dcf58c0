export { createLink } from "./access/invitations/link.ts";
export { removeSecondFactor, SEALED_SECOND_FACTORS } from "./access/second-factor/second-factor.ts";
export { findUserByEmail, listUsers } from "./access/users/queries.ts";
export { type DashboardUser, ROLES, statusOf } from "./access/users/user.ts";
export { dashboardChores } from "./jobs.ts";
export { answerUnknownDashboardPage, mountDashboard } from "./mount-dashboard.ts";
export { changeUser } from "./users/change-user.ts";
export { inviteUser } from "./users/invite-user.ts";
export { removeUser } from "./users/remove-user.ts";
