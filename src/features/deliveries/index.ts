export { type Deliverer, startDeliverer } from "./deliverer.ts";
export { bringDeliveriesForward, deleteEventsBefore } from "./queries.ts";
export { redeliverBetween, redeliverEvent, redeliverRange } from "./redeliver.ts";
export { deliveryRoutes } from "./routes.ts";
