/**
 * Wraps the vault's keys under a master key that the database never sees: keys from the settings, or a key management
 * service. The context is bound to what is wrapped: another context does not open it.
 */
export type KeyWrapper = {
  /** The master keys at hand; the first is the one that should wrap. The same id is the same key on every node. */
  readonly masterIds: () => Promise<readonly string[]>;
  readonly wrap: (masterId: string, key: Uint8Array, context: string) => Promise<Uint8Array>;
  /** Undefined when that master key is not at hand, or what was wrapped is not what it was. */
  readonly unwrap: (
    masterId: string,
    wrapped: Uint8Array,
    context: string,
  ) => Promise<Uint8Array | undefined>;
  /** Wraps again under the newest version of the same master key; undefined when it is the newest already. */
  readonly rewrap?: (masterId: string, wrapped: Uint8Array) => Promise<Uint8Array | undefined>;
};
