import { type Problem, refuse, refuseAll } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey, refuseRepeat } from "../../platform/idempotency/claim-key.ts";
import { lockMerchant, type RequestCaller } from "../merchants/index.ts";
import { insertDomains, listDomains } from "./queries.ts";
import { verifyDomain } from "./verify-domain.ts";
import { DOMAINS_AT_MOST, LOCALHOST, type WalletDomain } from "./wallet-domain.ts";

/** Verifies each domain and registers all or none. A registered domain is verified again and stays registered. */
export async function registerDomains(
  ctx: Context,
  caller: RequestCaller,
  input: readonly string[],
): Promise<readonly WalletDomain[]> {
  if (!caller.merchant.capabilities.applePay) refuse("wallet_domains_capability_missing");
  await refuseRepeat(ctx.db, caller);
  const domains = input.map((domain) => domain.toLowerCase());
  refuseTooMany(await listDomains(ctx.db, caller.merchantId), domains);
  const problems = await Promise.all(domains.map((domain, index) => problemsOf(ctx, caller, domain, index)));
  refuseAll(problems.flat());
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: null, path: null });
    // Under the merchant's lock, so that two concurrent calls can't exceed the limit together.
    const merchant = await lockMerchant(tx, caller.merchantId);
    refuseTooMany(await listDomains(tx, merchant.id), domains);
    await insertDomains(tx, merchant.id, domains, clockOf(ctx, merchant));
    return listDomains(tx, merchant.id);
  });
}

function refuseTooMany(registered: readonly WalletDomain[], domains: readonly string[]): void {
  const all = new Set([...registered.map(({ domain }) => domain), ...domains]);
  if (all.size > DOMAINS_AT_MOST) refuse("wallet_domains_too_many", "/domains");
}

async function problemsOf(
  ctx: Context,
  { merchant }: RequestCaller,
  domain: string,
  index: number,
): Promise<readonly Problem[]> {
  if (domain === LOCALHOST && merchant.mode === "sandbox") return [];
  const reason = await verifyDomain(ctx, merchant, domain);
  if (reason === undefined) return [];
  return [
    {
      code: "wallet_domain_verification_failed",
      field: `/domains/${index}`,
      verification: { domain, reason },
    },
  ];
}
