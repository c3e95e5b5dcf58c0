/** Paths for monitoring. They need no key and reveal nothing about merchants. */
export const MONITORING_PATHS = { health: "/healthz", ready: "/readyz", metrics: "/metrics" } as const;
