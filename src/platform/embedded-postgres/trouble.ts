/** Another gateway holds this data folder. The message is the one line shown to the operator. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
}

/** Anything else that stops a start. The message is one line: what is wrong, and what to do about it. */
export class EmbeddedPostgresTrouble extends Error {
  override readonly name = "EmbeddedPostgresTrouble";
}

/** What the operator can always do instead of repairing the embedded server. */
export const useYourOwn = "set DATABASE_URL to a PostgreSQL server of your own";

/** The code that Node's file functions (`ENOENT`) and PostgreSQL (`57P03`) put on their errors. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

export function messageOf(error: unknown): string {
  // A refused connection is an AggregateError, whose own message is empty.
  const message = error instanceof Error ? error.message || codeOf(error) : String(error);
  return (message ?? "unknown error").split("\n", 1)[0] ?? "";
}

/** The front door promises its two errors and no others: a full disk or a read-only folder is trouble too. */
export function asTrouble(error: unknown): FolderInUse | EmbeddedPostgresTrouble {
  if (error instanceof FolderInUse || error instanceof EmbeddedPostgresTrouble) return error;
  const line = `the embedded database cannot start: ${messageOf(error)}; mend that, or ${useYourOwn}`;
  return new EmbeddedPostgresTrouble(line, { cause: error });
}
