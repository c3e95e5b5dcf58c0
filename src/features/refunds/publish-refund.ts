import type { Mode } from "../../kernel/mode.ts";
import type { Tx } from "../../platform/db/database.ts";
import { publish } from "../../platform/outbox/publish.ts";
import type { Links } from "../transactions/index.ts";
import { presentRefund } from "./present.ts";
import type { Refund } from "./refund.ts";

/** A refund is published as a `transactions` event; the payload is the refund. */
export async function publishRefund(tx: Tx, mode: Mode, refund: Refund, links: Links): Promise<void> {
  await publish(tx, {
    merchantId: refund.merchantId,
    event: "transactions",
    resourceId: refund.id,
    reference: refund.reference,
    at: refund.updatedAt,
    payload: presentRefund(refund, mode, links),
  });
}
