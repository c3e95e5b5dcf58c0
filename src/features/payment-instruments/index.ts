export { deleteInstrument, eraseInstrument } from "./delete-instrument.ts";
export { placeOf } from "./instrument-ids.ts";
export { instrumentsOfCustomers } from "./instruments-of-customers.ts";
export { cardEnd, isToken, type PaymentInstrument } from "./payment-instrument.ts";
export { instrumentPath } from "./present.ts";
export { cardsToPurge, type PurgeCandidate, purgeCard } from "./purge-cards.ts";
export {
  findInstrument,
  isKnownInstrument,
  listInstruments,
  listOfCustomer,
  lockInstrument,
} from "./queries.ts";
export { paymentInstrumentRoutes } from "./routes.ts";
export { newCustomerIdFor, storeCard } from "./store-card.ts";
