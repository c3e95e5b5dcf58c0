export { ASSOCIATION_PATH } from "./association.ts";
export { isRegisteredDomain } from "./queries.ts";
export { walletDomainRoutes } from "./routes.ts";
export { verifyDomain } from "./verify-domain.ts";
export { isDomainName } from "./wallet-domain.ts";
