/** The HTTP statuses that a refusal can have. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 429 | 500 | 503;

/** One entry of the catalogue: its stable name, the HTTP status it comes with, and what it means to an integrator. */
export type Code = { readonly message: string; readonly status: RefusalStatus; readonly meaning: string };
