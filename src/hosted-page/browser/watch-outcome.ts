import type { CallGateway } from "../../../browser/paying/call-gateway.ts";
import { readAttempt } from "../../../browser/paying/read-responses.ts";

/** Often while a payer is likely to be there, and seldom at a page that was left open. */
const LOOK_EVERY_MS = 4_000;
const LATER_EVERY_MS = 15_000;
const LIKELY_MS = 10 * 60_000;
const ANSWER_WITHIN_MS = 10_000;

/** States in which this page holds a form that nobody has sent. */
const IDLE: readonly (string | null)[] = ["ready", "declined"];

/**
 * Keeps an idle form true: when the payment was made, ended or cancelled elsewhere, the page learns of it. Tabs of one
 * browser tell each other at once; for the rest it looks now and then, and whenever the payer comes back to it.
 */
export function watchOthers(
  session: string,
  call: CallGateway,
  state: () => string | null,
  onChange: () => void,
): { readonly tell: () => void } {
  // The channel's name is seen by pages of this origin only, which are all ours.
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(session.slice(0, -1)) : undefined;

  async function look(): Promise<void> {
    if (document.hidden || IDLE.indexOf(state()) === -1) return;
    const reply = await call("/checkout/outcome", {}, ANSWER_WITHIN_MS);
    const attempt = reply.kind === "answered" ? readAttempt(reply.body) : undefined;
    if (attempt === undefined || IDLE.indexOf(state()) === -1) return;
    if (attempt.state !== "none" || !attempt.open) onChange();
  }

  if (channel !== undefined) channel.onmessage = () => void look();
  document.addEventListener("visibilitychange", () => void look());
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) void look();
  });
  const often = setInterval(() => void look(), LOOK_EVERY_MS);
  setTimeout(() => {
    clearInterval(often);
    setInterval(() => void look(), LATER_EVERY_MS);
  }, LIKELY_MS);
  return { tell: () => channel?.postMessage("changed") };
}
