import type { Id } from "../../kernel/ids.ts";
import { type KeyedCaller, type RequestFacts, routesFor } from "../../platform/http/route.ts";
import type { Merchant } from "./merchant.ts";

/** The merchant behind an API key. */
export type Caller = KeyedCaller & { readonly merchantId: Id<"merchant">; readonly merchant: Merchant };

/** The same, for one request. */
export type RequestCaller = Caller & RequestFacts;

/** A route for merchants' servers, authenticated by API key. */
export const merchantRoute = routesFor<Caller>();
