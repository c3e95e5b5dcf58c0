import type { Route } from "../../platform/http/route.ts";
import { type Caller, merchantRoute } from "../merchants/index.ts";
import { presentTransfer } from "./present.ts";
import { payOwnPayId } from "./simulate-transfer.ts";
import { TransferAnswer, TransferBody } from "./wire.ts";

export const incomingTransferRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "POST",
    path: "/sandbox/payid/transfers",
    name: "payPayIdInSandbox",
    group: "Sandbox",
    summary: "Pay to one of your PayIDs",
    about:
      "Simulates the payer's bank: the exact amount before expiry completes the payment request; any other transfer is " +
      "returned and listed in `payIdReturns`.",
    scope: "write",
    sandboxOnly: true,
    body: TransferBody,
    answer: TransferAnswer,
    refusals: ["transfer_payid_unknown"],
    example: { payId: "order-1001@payid.tidegate.test", amount: 3000, payerName: "Ann Lee" },
    run: async (ctx, { caller, body }) => presentTransfer(await payOwnPayId(ctx, caller, body)),
  }),
];
