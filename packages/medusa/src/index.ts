import { TidegatePaymentProvider } from "./provider.ts";

export type { HostedPageOptions, TidegateProviderOptions } from "./options.ts";
export type { SessionData } from "./session-data.ts";
export { TidegatePaymentProvider };

/** What Medusa's payment module loads when `medusa-config.ts` names this package. */
export const services = [TidegatePaymentProvider];
