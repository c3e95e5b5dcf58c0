export type { AcquirerAccount } from "./acquirer-account.ts";
export { createAcquirers } from "./acquirers.ts";
export { addAccount } from "./add-account.ts";
export { orderAccounts, setAccountStatus } from "./change-accounts.ts";
export { listKeyFiles } from "./list-key-files.ts";
export { findAccount, listAccounts } from "./queries.ts";
export { routePayment } from "./route-payment.ts";
export { SEALED_ACQUIRER_SETTINGS } from "./settings.ts";
export { testAccount } from "./test-account.ts";
