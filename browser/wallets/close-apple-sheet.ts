/** As much of Apple's session as hears how it ended. */
type Ending = {
  readonly abort: () => void;
  readonly completePayment: (result: { readonly status: number }) => void;
};

type Statuses = { readonly STATUS_SUCCESS: number; readonly STATUS_FAILURE: number };

/** The first word counts. While nobody knows how it went, the sheet goes without saying either. */
export function closeOnce(
  { STATUS_SUCCESS, STATUS_FAILURE }: Statuses,
  session: Ending,
): (outcome: "good" | "bad" | "unknown") => void {
  let closed = false;
  return (outcome) => {
    if (closed) return;
    closed = true;
    const status = outcome === "good" ? STATUS_SUCCESS : STATUS_FAILURE;
    notifySheet(() => (outcome === "unknown" ? session.abort() : session.completePayment({ status })));
  };
}

/**
 * A sheet that has gone meanwhile, dismissed or out of patience, throws when it is told something. The payment goes on
 * without it, and the page shows how it ended.
 */
export function notifySheet(tell: () => void): void {
  try {
    tell();
  } catch (_gone) {
    // Nobody is left to be told.
  }
}
