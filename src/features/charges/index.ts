export { chargeRoutes } from "./routes.ts";
