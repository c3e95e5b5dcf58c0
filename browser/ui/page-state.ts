/** How a page of ours stands, as `data-state` of its `main`; tests and assistive technology rely on it. */
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
