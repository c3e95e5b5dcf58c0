const settings: readonly string[] = [
  "max_connections=200",
  "shared_buffers=128MB",
  "jit=off",
  "timezone=UTC",

  // What was answered is on disk.
  "fsync=on",
  "full_page_writes=on",
  "synchronous_commit=on",

  // The log shows what happens to the server, never what is in the data. An error's text quotes values ("invalid input
  // syntax for type bigint: …") and its detail quotes rows, so errors of statements stay out (the gateway logs its own),
  // and FATAL lines come without detail.
  "log_destination=stderr",
  "logging_collector=off",
  "log_timezone=UTC",
  "log_line_prefix=%m [%p] ",
  "log_min_messages=log",
  "log_error_verbosity=terse",
  "log_statement=none",
  "log_min_error_statement=panic",
  "log_min_duration_statement=-1",
  "log_parameter_max_length=0",
  "log_parameter_max_length_on_error=0",
  "log_checkpoints=off",
];

/** On the command line they win over postgresql.conf and ALTER SYSTEM; the last of a name wins. */
export function serverSettings(more: readonly string[]): readonly string[] {
  return [...settings, ...more].flatMap((setting) => ["-c", setting]);
}
