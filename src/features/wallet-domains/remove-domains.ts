import { refuseAll } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { lockMerchant, type RequestCaller } from "../merchants/index.ts";
import { deleteDomains, listDomains } from "./queries.ts";
import type { WalletDomain } from "./wallet-domain.ts";

/** Removes all of these domains, or none if one is not registered. Returns the remaining domains. */
export async function removeDomains(
  ctx: Context,
  caller: RequestCaller,
  input: readonly string[],
): Promise<readonly WalletDomain[]> {
  const domains = input.map((domain) => domain.toLowerCase());
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: null, path: null });
    await lockMerchant(tx, caller.merchantId);
    const registered = new Set((await listDomains(tx, caller.merchantId)).map(({ domain }) => domain));
    refuseAll(
      domains.flatMap((domain, index) =>
        registered.has(domain)
          ? []
          : [{ code: "wallet_domain_unknown", field: `/domains/${index}` } as const],
      ),
    );
    await deleteDomains(tx, caller.merchantId, domains);
    return listDomains(tx, caller.merchantId);
  });
}
