export { type Customer, type CustomerFacts, newCustomer } from "./customer.ts";
export { customerChange } from "./customer-change.ts";
export type { CustomerInstruments, InstrumentReader } from "./customer-instruments.ts";
export { customerPath, maskedEmail } from "./present.ts";
export { findCustomer, insertCustomer } from "./queries.ts";
export { customerRoutes } from "./routes.ts";
