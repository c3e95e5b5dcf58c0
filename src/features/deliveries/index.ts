export { type Deliverer, startDeliverer } from "./deliverer.ts";
export { bringDeliveriesForward, deleteEventsBefore } from "./queries.ts";
export { previewRange, redeliverBetween, redeliverEvent } from "./redelivery/redeliver.ts";
export { deliveryRoutes } from "./routes.ts";
