import type { Tidegate } from "@tidegate/client";
import type { OrderBook } from "./orders/order-book.ts";
import type { ShopSettings } from "./settings.ts";
import type { Inbox } from "./webhooks/inbox.ts";

/** What every part of the shop works with. */
export type Shop = {
  readonly settings: ShopSettings;
  readonly tidegate: Tidegate;
  /** Of webhooks: only the gateway and this shop know it. */
  readonly signingKey: string;
  readonly book: OrderBook;
  readonly inbox: Inbox;
};
