/** A sandbox merchant pays at simulated banks, a live merchant at real ones. */
export const MODES = ["sandbox", "live"] as const;
export type Mode = (typeof MODES)[number];
