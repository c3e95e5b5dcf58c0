/** The page's state, as `data-state` of `main`; tests rely on it. */
export type PageState =
  | "ready"
  | "processing"
  | "challenge"
  | "approved"
  | "declined"
  | "pending"
  | "expired"
  | "cancelled"
  | "closed"
  | "error";
