/** The HTTP statuses that a refusal can have. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 429 | 500 | 503;

/** One entry of the catalogue: its stable number, its HTTP status, and a sentence on what an integrator should do. */
export type Code = { readonly id: string; readonly status: RefusalStatus; readonly meaning: string };

/** The most common entry: a field whose value is not accepted. */
export function invalid<const Id extends string>(id: Id, meaning: string) {
  return { id, status: 400, meaning } as const;
}
