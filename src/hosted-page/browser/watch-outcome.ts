import type { CallGateway } from "../../../browser/paying/call-gateway.ts";
import { readAttempt } from "../../../browser/paying/read-responses.ts";

/** Often while the payer is likely to be present, rarely on a page that was left open. */
const CHECK_EVERY_MS = 4_000;
const CHECK_RARELY_EVERY_MS = 15_000;
const OFTEN_FOR_MS = 10 * 60_000;
const TIMEOUT_MS = 10_000;

/** States in which the page shows a form that is not submitted. */
const IDLE: readonly (string | null)[] = ["ready", "declined"];

/**
 * Detects that the payment was made, ended or cancelled elsewhere while this page shows an idle form. Tabs of one browser
 * notify each other; for other devices it polls, and checks whenever the payer returns to the page.
 */
export function watchOutcome(
  session: string,
  call: CallGateway,
  state: () => string | null,
  onChange: () => void,
): { readonly notify: () => void } {
  // Only pages of this origin, all ours, can see the channel's name.
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(session.slice(0, -1)) : undefined;

  async function check(): Promise<void> {
    if (document.hidden || IDLE.indexOf(state()) === -1) return;
    const reply = await call("/checkout/outcome", {}, TIMEOUT_MS);
    const attempt = reply.kind === "answered" ? readAttempt(reply.body) : undefined;
    if (attempt === undefined || IDLE.indexOf(state()) === -1) return;
    if (attempt.state !== "none" || !attempt.open) onChange();
  }

  if (channel !== undefined) channel.onmessage = () => void check();
  document.addEventListener("visibilitychange", () => void check());
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) void check();
  });
  const often = setInterval(() => void check(), CHECK_EVERY_MS);
  setTimeout(() => {
    clearInterval(often);
    setInterval(() => void check(), CHECK_RARELY_EVERY_MS);
  }, OFTEN_FOR_MS);
  return { notify: () => channel?.postMessage("changed") };
}
