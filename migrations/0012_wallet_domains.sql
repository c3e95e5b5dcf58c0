-- Domains on which a merchant's pages may offer Apple Pay. Each was verified when it was registered.
create table wallet_domains (
  merchant_id    text collate "C" not null references merchants (id),
  domain         text collate "C" not null check (domain = lower(domain)),
  registered_at  timestamptz not null,
  primary key (merchant_id, domain)
);
