/** Another gateway runs on this data folder. The message is the line shown to the operator. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
}

/** Anything else that prevents a start. The message is one line: what is wrong, and what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
}

/** What the operator can always do instead of repairing the embedded server. */
export const useYourOwn = "set DATABASE_URL to a PostgreSQL server of your own";

/** The code that Node's file functions (`ENOENT`) and PostgreSQL (`57P03`) put on their errors. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export function messageOf(error: unknown): string {
  // A refused connection is an AggregateError, whose own message is empty.
  const message = error instanceof Error ? error.message || codeOf(error) : String(error);
  return message.split("\n", 1)[0] ?? "";
}
