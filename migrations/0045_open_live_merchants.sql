-- Outside a transaction.
-- Whether a live merchant is open is read at every start and by the dashboard, however many merchants there are.
drop index concurrently if exists merchants_open_live;
create index concurrently merchants_open_live on merchants (id) where mode = 'live' and capabilities::text like '%true%';
drop index concurrently if exists merchants_live;
create index concurrently merchants_live on merchants (id) where mode = 'live';
