/** How a payer's 3D Secure authentication ended. */
export const AUTHENTICATION_STATUSES = [
  "authenticated",
  "attempted",
  "failed",
  "unavailable",
  "rejected",
  "abandoned",
] as const;
export type AuthenticationStatus = (typeof AUTHENTICATION_STATUSES)[number];
