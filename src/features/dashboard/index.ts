export { readEvents } from "./events/read-events.ts";
export { keepHours } from "./hours/keep-hours.ts";
export type {
  CustomerRow,
  ListName,
  PayoutRow,
  RefundRow,
  RequestRow,
  RowOf,
  TransactionRow,
} from "./lists/listing.ts";
export { type ListInput, readList } from "./lists/read-list.ts";
export { PERIODS } from "./overview/overview.ts";
export { COUNTED_AT_MOST } from "./overview/queries.ts";
export { readOverview } from "./overview/read-overview.ts";
export {
  deliveriesOfEvent,
  type Payment,
  readPaymentOfRequest,
  readPaymentOfTransaction,
  refundPlace,
} from "./payment/read-payment.ts";
export { isUnderWay, timelineOf } from "./payment/timeline.ts";
export { openPayIds, waitingForSettlement } from "./sandbox/queries.ts";
export { countWaiting, newestDeliveries } from "./webhooks/queries.ts";
