import type { Id } from "../../kernel/ids.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Instant } from "../../kernel/time.ts";
import type { Mode } from "../merchants/index.ts";
import type { PayIdReturn, PaymentRequest } from "../payment-requests/index.ts";

export type TransferStatus = "accepted" | "returning" | "returned" | "return_refused";

/** A transfer that we accept is ours for good. Any other goes back, and is on its way until the rail has said so. */
export const lifecycle: Lifecycle<TransferStatus, "confirmReturn" | "refuseReturn"> = {
  accepted: {},
  returning: { confirmReturn: "returned", refuseReturn: "return_refused" },
  returned: {},
  return_refused: {},
};

/** Why a transfer goes back. `unknown`: the PayID is nobody's. */
export type ReturnReason = PayIdReturn["reason"] | "unknown";

export type IncomingTransfer = {
  readonly id: Id<"incomingTransfer">;
  /** Of the rail that it came by. A transfer of the sandbox is never matched with a live merchant's request. */
  readonly mode: Mode;
  /** The bank's own id of its message: however often it is told, it is one transfer. */
  readonly message: string;
  readonly payId: string;
  readonly amount: number;
  readonly payerName: string | null;
  readonly merchantId: Id<"merchant"> | null;
  readonly paymentRequestId: Id<"paymentRequest"> | null;
  readonly status: TransferStatus;
  readonly reason: ReturnReason | null;
  readonly transactionId: Id<"transaction"> | null;
  /** On the merchant's clock, where there is one. */
  readonly receivedAt: Instant;
};

/**
 * Whether a transfer pays the request; why not, when it doesn't. A request that is past its time has ended, whether or not
 * a worker has noticed: it is `expired` before anybody asks here.
 */
export function reasonToReturn(
  request: Pick<PaymentRequest, "status" | "amount">,
  amount: number,
): PayIdReturn["reason"] | undefined {
  if (request.status === "completed") return "duplicate";
  if (request.status === "cancelled") return "closed";
  if (request.status === "expired") return "late";
  if (amount === request.amount) return undefined;
  return amount < request.amount ? "short" : "over";
}
