/** A problem of the vault's keys that the operator has to fix; the message is one line. */
export class VaultError extends Error {
  override readonly name = "VaultError";
}

/** The stored ciphertext was changed, or its key is not available. Nothing is returned. */
export class SecretUnreadable extends Error {
  override readonly name = "SecretUnreadable";
}

/** The key service does not do its work. Nothing is known about what it wraps: try again later. */
export class KeyServiceProblem extends VaultError {}
