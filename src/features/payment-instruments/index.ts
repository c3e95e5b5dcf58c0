export { holdingsOfCustomers } from "./holdings-of-customers.ts";
export { paymentInstrumentRoutes } from "./routes.ts";
