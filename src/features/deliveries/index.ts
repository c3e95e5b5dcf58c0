export { readBacklog } from "./backlog/read-backlog.ts";
export { deliveryChores } from "./jobs.ts";
export { bringDeliveriesForward, type DeliveryPlace, FIRST_DELIVERY } from "./queries.ts";
export { previewRange, redeliverBetween, redeliverEvent } from "./redelivery/redeliver.ts";
export { deliveryRoutes } from "./routes.ts";
export { type Deliverer, startDeliverer } from "./sending/deliverer.ts";
