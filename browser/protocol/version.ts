/** The version of this checkout, in the frame's URL and in the handshake. */
export const CHECKOUT_VERSION = "1.0.0";

/** Versions that a page may request. */
export const KNOWN_VERSIONS: readonly string[] = [CHECKOUT_VERSION];
