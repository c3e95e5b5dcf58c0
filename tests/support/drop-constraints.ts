/** Removes the checks, triggers and partial unique indexes that would refuse an invalid row. */
export const DROP_CONSTRAINTS = `
  set local session_replication_role = replica;
  do $$ declare rule record; begin
    for rule in select conrelid::regclass as place, conname from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace
    loop execute format('alter table %s drop constraint %I', rule.place, rule.conname); end loop;
    for rule in select indexrelid::regclass as name from pg_index join pg_class on pg_class.oid = indexrelid
      where indisunique and indpred is not null and relnamespace = 'public'::regnamespace
    loop execute format('drop index %s', rule.name); end loop;
  end $$;`;
