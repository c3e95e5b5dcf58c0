-- The runtime role may add to the audit log and read it, and nothing else. Sealing changes rows, so it goes through these
-- functions, which run as their owner: they seal what has no seal, and move the head forward.
do $outer$
declare
  place text := quote_ident(current_schema());
begin
  execute format($f$
    create function seal_audit_entries(ids bigint[], places bigint[], befores text[], hashes text[]) returns void
    language sql security definer set search_path = %s, pg_temp as $$
      update audit_log a
      set place = v.place, previous = decode(v.previous, 'hex'), hash = decode(v.hash, 'hex')
      from unnest(ids, places, befores, hashes) as v (id, place, previous, hash)
      where a.id = v.id and a.place is null
    $$ $f$, place);
  execute format($f$
    create function put_audit_head(new_place bigint, new_hash bytea, new_proof bytea) returns void
    language sql security definer set search_path = %s, pg_temp as $$
      insert into audit_head (place, hash, proof) values (new_place, new_hash, new_proof)
      on conflict (single) do update set place = new_place, hash = new_hash, proof = new_proof
      where audit_head.place < new_place
    $$ $f$, place);
end $outer$;

revoke execute on function seal_audit_entries(bigint[], bigint[], text[], text[]) from public;
revoke execute on function put_audit_head(bigint, bytea, bytea) from public;
