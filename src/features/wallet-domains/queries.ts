import type { Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import type { WalletDomain } from "./wallet-domain.ts";

const LIST = sql(
  "wallet_domain_list",
  `select merchant_id as "merchantId", domain, registered_at as "registeredAt" from wallet_domains
   where merchant_id = $1 order by domain`,
);

const FIND = sql(
  "wallet_domain_find",
  "select domain from wallet_domains where merchant_id = $1 and domain = $2",
);

const INSERT = sql(
  "wallet_domain_insert",
  `insert into wallet_domains (merchant_id, domain, registered_at)
   select $1, domain, $3 from unnest($2::text[]) as domain on conflict do nothing`,
);

const DELETE = sql(
  "wallet_domain_delete",
  "delete from wallet_domains where merchant_id = $1 and domain = any($2::text[])",
);

export async function listDomains(tx: Tx, merchantId: Id<"merchant">): Promise<readonly WalletDomain[]> {
  return tx.rows<WalletDomain>(LIST, [merchantId]);
}

export async function isRegisteredDomain(
  tx: Tx,
  merchantId: Id<"merchant">,
  domain: string,
): Promise<boolean> {
  return (await tx.rows(FIND, [merchantId, domain.toLowerCase()])).length > 0;
}

/** Leaves domains that are registered already unchanged. */
export async function insertDomains(
  tx: Tx,
  merchantId: Id<"merchant">,
  domains: readonly string[],
  now: Instant,
): Promise<void> {
  await tx.rows(INSERT, [merchantId, domains, at(now)]);
}

export async function deleteDomains(
  tx: Tx,
  merchantId: Id<"merchant">,
  domains: readonly string[],
): Promise<void> {
  await tx.rows(DELETE, [merchantId, domains]);
}
