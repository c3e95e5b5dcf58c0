export { createEventFollower, type FollowedEvent } from "./follow-events.ts";
export { findEvent, listEvents } from "./queries.ts";
export { eventRoutes } from "./routes.ts";
