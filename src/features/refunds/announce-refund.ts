import type { Tx } from "../../platform/db/database.ts";
import { announce } from "../../platform/outbox/announce.ts";
import type { Mode } from "../merchants/index.ts";
import { presentRefund } from "./present.ts";
import type { Refund } from "./refund.ts";

/** A refund is told under `transactions`; its payload is the refund. */
export async function announceRefund(tx: Tx, mode: Mode, refund: Refund): Promise<void> {
  await announce(tx, {
    merchantId: refund.merchantId,
    event: "transactions",
    resourceId: refund.id,
    reference: refund.reference,
    at: refund.updatedAt,
    payload: presentRefund(refund, mode),
  });
}
