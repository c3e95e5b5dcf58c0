export { dashboardChores } from "./jobs.ts";
export { mountDashboard } from "./mount-dashboard.ts";
export { createLink } from "./sign-in/invitations/link.ts";
export { removeSecondFactor, SEALED_SECOND_FACTORS } from "./sign-in/second-factor/second-factor.ts";
export { changeUser } from "./users/change-user.ts";
export { inviteUser } from "./users/invite-user.ts";
export { findUserByEmail, listUsers } from "./users/queries.ts";
export { removeUser } from "./users/remove-user.ts";
export { type DashboardUser, ROLES, statusOf } from "./users/user.ts";
