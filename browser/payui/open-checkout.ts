import { payingCode } from "../protocol/client-codes.ts";
import type { CheckoutConfig } from "./check-config.ts";
import { connectFrame } from "./connect-frame.ts";
import type { EventHandlers } from "./event-handlers.ts";
import { makeFrame, setHeight } from "./frame-element.ts";
import { reportToIntegrator } from "./report-to-integrator.ts";

const WITHHELD =
  "can't be offered on this page; does the account have it, and for Apple Pay, is this page's domain registered?";

/** Removes the checkout of a container. */
const removers = new WeakMap<HTMLElement, () => void>();

/**
 * Puts the frame into the container and passes its events on. Replaces an earlier frame, since a page initialises again
 * after its token was refused. Returns a function that removes the frame.
 */
export function openCheckout(
  config: CheckoutConfig,
  hostedOrigin: string,
  handlers: EventHandlers,
): () => void {
  const frame = makeFrame(config, hostedOrigin);
  const connection = connectFrame(frame, config, hostedOrigin, {
    onMessage: (message) => {
      if (message.type === "height") {
        setHeight(frame, message.height);
        return;
      }
      if (message.type === "title") {
        frame.title = message.title;
        return;
      }
      if (message.type === "withheld") {
        reportToIntegrator(`${message.wallets} ${WITHHELD}`);
        return;
      }
      const { codes = [], status } = message.payload.result;
      if (message.name === "initialise" && status !== "ok") {
        for (const code of codes) reportToIntegrator(`the checkout could not start. ${code.detail}`, code);
      }
      handlers.emit(message.name, message.payload);
    },
    onUnreachable: () => {
      const code = payingCode("payui_frame_unreachable", hostedOrigin);
      reportToIntegrator(`the checkout's frame did not answer. ${code.detail}`, code);
      remove();
      handlers.emit("initialise", { result: { status: "failed", codes: [code] } });
    },
  });

  function remove(): void {
    connection.close();
    frame.parentNode?.removeChild(frame);
  }

  removers.get(config.container)?.();
  removers.set(config.container, remove);
  config.container.appendChild(frame);
  return remove;
}
