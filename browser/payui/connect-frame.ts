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
 * Answers the frame's hellos with the token and a port. A frame loads again when the page moves its container, and then
 * says hello again. The token is sent to the hosted origin only, even if the frame has navigated elsewhere.
 */
export function connectFrame(
  frame: HTMLIFrameElement,
  config: CheckoutConfig,
  hostedOrigin: string,
  handlers: FrameHandlers,
): Connection {
  const ports = new Set<MessagePort>();
  const stopWaiting = (): void => {
    clearTimeout(timer);
    frame.removeEventListener("load", shortenTimeout);
  };
  const giveUp = (): void => {
    close();
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
    stopWaiting();
    const channel = new MessageChannel();
    const port = channel.port1;
    ports.add(port);
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      closePorts(port);
      const message = readFrameMessage(data);
      if (message !== undefined) handlers.onMessage(message);
    };
    const { version, token, ui, locale } = config;
    const connect: Connect = { tidegate: "connect", version, token, ui, locale };
    target.postMessage(connect, hostedOrigin, [channel.port2]);
  }
  window.addEventListener("message", answerHello);

  /** The page uses the answer to one of its hellos. A port that speaks replaces all others. */
  function closePorts(spared?: MessagePort): void {
    for (const port of ports) {
      if (port === spared) continue;
      port.postMessage({ type: "destroy" });
      port.close();
      ports.delete(port);
    }
  }

  function close(): void {
    stopWaiting();
    window.removeEventListener("message", answerHello);
    closePorts();
  }

  return { close };
}
