import { type Connect, type FrameMessage, isHello, readFrameMessage } from "../protocol/messages.ts";
import type { CheckoutConfig } from "./check-config.ts";

export type Connection = { readonly close: () => void };

type FrameHandlers = {
  readonly onMessage: (message: FrameMessage) => void;
  readonly onUnreachable: () => void;
};

const HELLO_TIMEOUT_MS = 15_000;
/** Our page sends its hello as it loads; an error page in its place never sends one. */
const HELLO_AFTER_LOAD_MS = 3_000;

/**
 * Waits for the frame's hello and answers it once, with the token and a port; after that it ignores window messages.
 * The token is sent to the hosted origin only, even if the frame has navigated elsewhere.
 */
export function connectFrame(
  frame: HTMLIFrameElement,
  config: CheckoutConfig,
  hostedOrigin: string,
  handlers: FrameHandlers,
): Connection {
  let port: MessagePort | undefined;
  const stopListening = (): void => {
    clearTimeout(timer);
    frame.removeEventListener("load", shortenTimeout);
    window.removeEventListener("message", answerHello);
  };
  const giveUp = (): void => {
    stopListening();
    handlers.onUnreachable();
  };
  const shortenTimeout = (): void => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, HELLO_AFTER_LOAD_MS);
  };
  let timer = setTimeout(giveUp, HELLO_TIMEOUT_MS);
  frame.addEventListener("load", shortenTimeout);

  function answerHello(event: MessageEvent<unknown>): void {
    const target = frame.contentWindow;
    if (target === null || event.source !== target || event.origin !== hostedOrigin) return;
    if (!isHello(event.data)) return;
    stopListening();
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = readFrameMessage(data);
      if (message !== undefined) handlers.onMessage(message);
    };
    const { version, token, ui, locale } = config;
    const connect: Connect = { tidegate: "connect", version, token, ui, locale };
    target.postMessage(connect, hostedOrigin, [channel.port2]);
  }
  window.addEventListener("message", answerHello);

  return {
    close: () => {
      stopListening();
      port?.postMessage({ type: "destroy" });
      port?.close();
    },
  };
}
