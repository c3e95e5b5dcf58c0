export { createToken } from "./create-token.ts";
export { tokenChores } from "./jobs.ts";
export {
  findMerchantOfSession,
  findPayable,
  findSession,
  findToken,
  initialiseToken,
  lockSession,
  processToken,
  reopenToken,
} from "./queries.ts";
export { tokenRoutes } from "./routes.ts";
export {
  isOpen,
  merchantOfHint,
  merchantOfSession,
  merchantOfToken,
  type OneTimeToken,
  sessionSecret,
} from "./token.ts";
