/** A problem of the vault's keys that the operator has to fix; the message is one line. */
export class VaultError extends Error {
  override readonly name = "VaultError";
}

/** The stored ciphertext was changed, or its key is not available. Nothing is returned. */
export class SecretUnreadable extends Error {
  override readonly name = "SecretUnreadable";
}
