/** The part of Apple's session that ends it. */
type ClosableSession = {
  readonly abort: () => void;
  readonly completePayment: (result: { readonly status: number }) => void;
};

type Statuses = { readonly STATUS_SUCCESS: number; readonly STATUS_FAILURE: number };

/** Only the first outcome counts. An unknown outcome closes the sheet without showing success or failure. */
export function closeOnce(
  { STATUS_SUCCESS, STATUS_FAILURE }: Statuses,
  session: ClosableSession,
): (outcome: "approved" | "declined" | "unknown") => void {
  let closed = false;
  return (outcome) => {
    if (closed) return;
    closed = true;
    const status = outcome === "approved" ? STATUS_SUCCESS : STATUS_FAILURE;
    notifySheet(() => (outcome === "unknown" ? session.abort() : session.completePayment({ status })));
  };
}

/**
 * A sheet that the payer dismissed or that timed out throws when it is called. The payment continues without it, and the
 * page shows the outcome.
 */
export function notifySheet(notify: () => void): void {
  try {
    notify();
  } catch (_gone) {
    // The sheet is closed; the page shows the outcome.
  }
}
