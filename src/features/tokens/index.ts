export { createToken } from "./create-token.ts";
export { tokenChores } from "./jobs.ts";
export {
  findSession,
  findToken,
  initialiseToken,
  lockSession,
  processToken,
  reopenToken,
} from "./queries.ts";
export { tokenRoutes } from "./routes.ts";
export { merchantOfHint, type OneTimeToken } from "./token.ts";
