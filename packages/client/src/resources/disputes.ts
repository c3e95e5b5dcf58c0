import type { Call } from "../call.ts";
import type { Operations, SendDisputeEvidenceBody } from "../generated/api.ts";
import type { CallOptions } from "../options.ts";
import { eachOf, type FiltersOf } from "../pages.ts";
import type { Proof } from "../recover.ts";
import { notShown, shown } from "../shown.ts";

/** The payer's bank may have decided since. */
const SENT: Proof<"sendDisputeEvidence"> = {
  isGiven: ({ status }) => status !== "needs_response" && status !== "accepted",
  otherwise: notShown("evidence"),
};

export function disputesOf(call: Call) {
  const read = { reads: "getDispute" } as const;
  return {
    get: (disputeId: string, options?: CallOptions) => call("getDispute", { params: { disputeId } }, options),
    list: (query?: Operations["listDisputes"]["query"], options?: CallOptions) =>
      call("listDisputes", { query }, options),
    listAll: (filters?: FiltersOf<"listDisputes">, options?: CallOptions) =>
      eachOf(call, "listDisputes", { filters }, options),
    /** Sends evidence, once: the payer's bank reviews it. A webhook reports its decision. */
    sendEvidence: (disputeId: string, body: SendDisputeEvidenceBody, options?: CallOptions) =>
      call(
        "sendDisputeEvidence",
        { params: { disputeId }, body, recovery: { ...read, proof: SENT } },
        options,
      ),
    /** Accepts that the payer keeps the money. */
    accept: (disputeId: string, options?: CallOptions) =>
      call(
        "acceptDispute",
        { params: { disputeId }, recovery: { ...read, proof: shown("acceptance", { status: "accepted" }) } },
        options,
      ),
  };
}
