import { defined } from "../../kernel/defined.ts";
import type { Static } from "../../platform/http/schema.ts";
import { ok } from "../merchants/index.ts";
import type { IncomingTransfer } from "./incoming-transfer.ts";
import type { TransferAnswer } from "./wire.ts";

/** A transfer as the payer's bank would show it: `returning` counts as returned. */
export function presentTransfer({
  id,
  mode,
  reason,
}: Pick<IncomingTransfer, "id" | "mode" | "reason">): Static<typeof TransferAnswer> {
  if (reason === null) return { id, status: "accepted", result: ok(mode) };
  return defined({
    id,
    status: "returned",
    reason: reason === "unknown" ? undefined : reason,
    result: ok(mode),
  });
}
