/** A problem of the database that the operator has to fix; the message is one line. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}
