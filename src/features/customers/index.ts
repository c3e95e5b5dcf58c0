export { type Customer, type CustomerFacts, newCustomer } from "./customer.ts";
export { customerChange } from "./customer-change.ts";
export type { Held, Holdings } from "./holdings.ts";
export { customerPath, maskedEmail } from "./present.ts";
export { findCustomer, insertCustomer } from "./queries.ts";
export { customerRoutes } from "./routes.ts";
