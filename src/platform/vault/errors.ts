/** Something about the vault's keys that the operator has to mend; the message is one line. */
export class VaultError extends Error {
  override readonly name = "VaultError";
}

/** What is kept there is not what was put there, or its key is not to be had. Nobody gets anything. */
export class SecretUnreadable extends Error {
  override readonly name = "SecretUnreadable";
}
