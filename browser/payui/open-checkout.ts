import { ownCode } from "../protocol/client-codes.ts";
import type { Order } from "./check-config.ts";
import { connectFrame } from "./connect-frame.ts";
import type { EventHandlers } from "./event-handlers.ts";
import { makeFrame, setHeight } from "./frame-element.ts";
import { reportToIntegrator } from "./report-to-integrator.ts";

const UNREACHABLE =
  "the checkout's frame did not answer; is the gateway up, and allowed in your Content-Security-Policy (frame-src)?";

const WITHHELD =
  "can't be offered on this page; does the account have it, and for Apple Pay, is this page's domain registered?";

/** How to take down the checkout that stands in a container. */
const standing = new WeakMap<HTMLElement, () => void>();

/**
 * Puts the frame into the container, in the place of one that stands there: after a token that was refused, a page
 * initialises anew. Passes on what the frame says. Returns how to take it down again.
 */
export function openCheckout(order: Order, hostedOrigin: string, handlers: EventHandlers): () => void {
  const frame = makeFrame(order, hostedOrigin);
  const connection = connectFrame(frame, order, hostedOrigin, {
    onMessage: (message) => {
      if (message.type === "height") {
        setHeight(frame, message.height);
        return;
      }
      if (message.type === "withheld") {
        reportToIntegrator(`${message.wallets} ${WITHHELD}`);
        return;
      }
      const { codes = [], status } = message.payload.result;
      if (message.name === "initialise" && status !== "ok") {
        for (const code of codes) reportToIntegrator("the checkout could not start.", code);
      }
      handlers.emit(message.name, message.payload);
    },
    onUnreachable: () => {
      const code = ownCode("payui_frame_unreachable");
      reportToIntegrator(UNREACHABLE, code);
      takeDown();
      handlers.emit("initialise", { result: { status: "failed", codes: [code] } });
    },
  });

  function takeDown(): void {
    connection.close();
    frame.parentNode?.removeChild(frame);
  }

  standing.get(order.container)?.();
  standing.set(order.container, takeDown);
  order.container.appendChild(frame);
  return takeDown;
}
