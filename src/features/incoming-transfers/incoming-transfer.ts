import type { Id } from "../../kernel/ids.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Cents } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";
import type { PayIdReturn, PaymentRequest } from "../payment-requests/index.ts";

export type TransferStatus = "accepted" | "returning" | "returned" | "return_refused";

/** An accepted transfer stays accepted. Any other is returned; it is `returning` until the rail confirms or refuses. */
export const lifecycle: Lifecycle<TransferStatus, "confirmReturn" | "refuseReturn"> = {
  accepted: {},
  returning: { confirmReturn: "returned", refuseReturn: "return_refused" },
  returned: {},
  return_refused: {},
};

/** Why a transfer is returned. `unknown`: no merchant has the PayID. */
export type ReturnReason = PayIdReturn["reason"] | "unknown";

export type IncomingTransfer = {
  readonly id: Id<"incomingTransfer">;
  /** The mode of its rail. A sandbox transfer never pays a live merchant's request. */
  readonly mode: Mode;
  /** The bank's own id of its message: delivered several times, it is still one transfer. */
  readonly message: string;
  readonly payId: string;
  readonly amount: Cents;
  readonly payerName: string | null;
  readonly merchantId: Id<"merchant"> | null;
  readonly paymentRequestId: Id<"paymentRequest"> | null;
  readonly status: TransferStatus;
  readonly reason: ReturnReason | null;
  readonly transactionId: Id<"transaction"> | null;
  /** On the merchant's clock, if the transfer has a merchant. */
  readonly receivedAt: Instant;
};

/** Why a transfer does not pay the request; undefined when it does. Callers expire an overdue request first. */
export function reasonToReturn(
  request: Pick<PaymentRequest, "status" | "amount">,
  amount: Cents,
): PayIdReturn["reason"] | undefined {
  if (request.status === "completed") return "duplicate";
  if (request.status === "cancelled") return "closed";
  if (request.status === "expired") return "late";
  if (amount < request.amount) return "short";
  return amount > request.amount ? "over" : undefined;
}
