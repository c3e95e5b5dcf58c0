import { createCall } from "../paying/call-gateway.ts";
import { type OpenedPayId, readState, type WatchedState } from "../paying/read-payid.ts";
import type { Panel } from "./enhance-panel.ts";

/** Often while the payer is likely to wait, ever more rarely on a page that was left open. */
const FIRST_WAIT_MS = 3_000;
const LONGEST_WAIT_MS = 30_000;
/** At 3 s: five minutes. Each later wait is a tenth longer than the one before. */
const FREQUENT_CHECKS = 100;
const SLOWER = 1.1;
const TIMEOUT_MS = 10_000;

type Watching = Panel & { readonly onEnd: (state: WatchedState) => void };

/**
 * Checks whether the transfer has arrived until it has or the PayID has ended. A page in the background does not check; it does
 * so when the payer returns to it. Returns a function that stops it.
 */
export function watchState(
  { session }: OpenedPayId,
  language: string,
  { showState, onOverdue, onAgain, showOffline, onEnd }: Watching,
): () => void {
  const call = createCall(session);
  let isOver = false;
  let isChecking = false;
  let checks = 0;
  let wait = FIRST_WAIT_MS;
  let timer: number | undefined;

  async function check(): Promise<void> {
    clearTimeout(timer);
    if (isOver || isChecking || document.hidden) return;
    isChecking = true;
    const reply = await call("/checkout/payid/state", { language }, TIMEOUT_MS);
    isChecking = false;
    const state = reply.kind === "answered" ? readState(reply.body) : undefined;
    if (isOver) return;
    showOffline(reply.kind === "lost");
    if (state !== undefined) {
      showState(state);
      if (state.state !== "waiting") {
        stop();
        onEnd(state);
        return;
      }
    }
    checks += 1;
    if (checks > FREQUENT_CHECKS) wait = Math.min(wait * SLOWER, LONGEST_WAIT_MS);
    timer = window.setTimeout(() => void check(), wait);
  }

  /** The payer is back, perhaps from the bank's app, or the connection has changed. */
  function onReturn(): void {
    checks = 0;
    wait = FIRST_WAIT_MS;
    void check();
  }

  function stop(): void {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onReturn);
    window.removeEventListener("pageshow", onReturn);
    window.removeEventListener("online", onReturn);
    window.removeEventListener("offline", onReturn);
  }

  document.addEventListener("visibilitychange", onReturn);
  window.addEventListener("pageshow", onReturn);
  window.addEventListener("online", onReturn);
  window.addEventListener("offline", onReturn);
  onOverdue(() => void check());
  onAgain(onReturn);
  timer = window.setTimeout(() => void check(), wait);
  return stop;
}
