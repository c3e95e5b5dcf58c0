export { findEvent } from "./queries.ts";
export { eventRoutes } from "./routes.ts";
