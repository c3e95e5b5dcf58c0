-- What browsers report of payment pages: a policy of the page blocked something. One row for each kind, not for each report,
-- and no row holds an address of a page, a path or a query.
create table page_reports (
  page       text collate "C" not null check (page in ('hosted_page', 'checkout_frame', 'bank_page', 'other')),
  directive  text collate "C" not null check (length(directive) between 1 and 40),
  blocked    text collate "C" not null check (length(blocked) between 1 and 100),
  source     text collate "C" not null check (length(source) between 1 and 100),
  reports    bigint not null check (reports > 0),
  first_at   timestamptz not null,
  last_at    timestamptz not null,
  primary key (page, directive, blocked, source)
);
create index page_reports_by_time on page_reports (last_at);
