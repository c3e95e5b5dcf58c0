/** The version of the checkout that this code is. It is in the frame's address and in the handshake. */
export const CHECKOUT_VERSION = "1.0.0";

/** Versions that a page may ask for. */
export const KNOWN_VERSIONS: readonly string[] = [CHECKOUT_VERSION];
