import { unreachableCode } from "../protocol/client-codes.ts";
import type { CheckoutConfig } from "./check-config.ts";
import { connectFrame } from "./connect-frame.ts";
import type { EventHandlers } from "./event-handlers.ts";
import { makeFrame, setHeight } from "./frame-element.ts";
import { reportToIntegrator } from "./report-to-integrator.ts";
import { offerRetry, showLoading } from "./show-words.ts";

const WITHHELD = "can't be offered here. Does the account have it? Is the domain registered for Apple Pay?";

/**
 * `payui` removes the container's checkout, or the notice in its place; twice does no harm. It is kept on the element, where
 * a second copy of this script finds it.
 */
type Container = HTMLElement & { payui?: () => void };

/**
 * Puts the frame into the container and passes its events on. Replaces an earlier frame, since a page initialises again
 * after its token was refused. Returns a function that empties the container.
 */
export function openCheckout(
  config: CheckoutConfig,
  hostedOrigin: string,
  handlers: EventHandlers,
): () => void {
  const container: Container = config.container;
  let remove: () => void;
  const open = (): void => {
    container.payui?.();
    const loading = showLoading(container);
    const frame = makeFrame(config, hostedOrigin);
    const disconnect = connect(frame, loading);
    remove = () => {
      disconnect();
      loading.remove();
      frame.remove();
    };
    container.payui = remove;
    container.appendChild(frame);
  };
  const connect = (frame: HTMLIFrameElement, loading: HTMLElement) =>
    connectFrame(frame, config, hostedOrigin, {
      onMessage: (message) => {
        if (message.type === "height") {
          loading.remove();
          setHeight(frame, message.height);
        } else if (message.type === "title") frame.title = message.title;
        else if (message.type === "withheld") reportToIntegrator(`${message.wallets} ${WITHHELD}`);
        else if (message.type === "reload") location.reload();
        else {
          const { codes = [], status } = message.payload.result;
          if (message.name === "initialise" && status !== "ok") {
            for (const code of codes)
              reportToIntegrator(`the checkout could not start. ${code.detail}`, code);
          }
          handlers.emit(message.name, message.payload);
        }
      },
      onUnreachable: () => {
        const code = unreachableCode(hostedOrigin);
        reportToIntegrator(`the checkout's frame did not answer. ${code.detail}`, code);
        remove = openNotice(container, open);
        handlers.emit("initialise", { result: { status: "failed", codes: [code] } });
      },
    });

  open();
  return () => remove();
}

/**
 * Shows the payer that there is no form, with "Try again", in place of an earlier frame. Returns a function that removes it.
 */
export function openNotice(container: Container, retry: () => void): () => void {
  container.payui?.();
  const words = offerRetry(container, retry);
  const remove = (): void => words.remove();
  container.payui = remove;
  return remove;
}
