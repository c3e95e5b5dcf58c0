import type { Mode } from "../../kernel/mode.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { publish } from "../../platform/outbox/publish.ts";
import type { Dispute } from "./dispute.ts";
import { presentDispute } from "./present.ts";

export async function publishDispute(
  { settings }: Context,
  tx: Tx,
  mode: Mode,
  dispute: Dispute,
): Promise<void> {
  await publish(tx, {
    merchantId: dispute.merchantId,
    event: "disputes",
    resourceId: dispute.id,
    reference: dispute.reference,
    at: dispute.updatedAt,
    payload: presentDispute(dispute, mode, settings.baseUrl),
  });
}
