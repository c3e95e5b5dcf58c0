import type { Tidegate } from "@tidegate/client";
import type { OrderStore } from "./orders/order-store.ts";
import type { ShopSettings } from "./settings.ts";
import type { Inbox } from "./webhooks/inbox.ts";

/** The context of every part of the shop. */
export type Shop = {
  readonly settings: ShopSettings;
  readonly tidegate: Tidegate;
  /** The webhooks' signing key: only the gateway and this shop have it. */
  readonly signingKey: string;
  readonly orders: OrderStore;
  readonly inbox: Inbox;
};
