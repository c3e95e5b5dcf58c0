import { type Connect, type FrameMessage, isHello, readFrameMessage } from "../protocol/messages.ts";
import type { CheckoutConfig } from "./check-config.ts";

type FrameHandlers = {
  readonly onMessage: (message: FrameMessage) => void;
  readonly onUnreachable: () => void;
};

const HELLO_TIMEOUT_MS = 15_000;
/** Our page sends its hello as it loads; an error page in its place never sends one. */
const HELLO_AFTER_LOAD_MS = 3_000;

/**
 * Answers the frame's hellos with the token and a port. A frame loads again when the page moves its container, and then
 * says hello again. The token is sent to the hosted origin only, even if the frame has navigated elsewhere. Returns a
 * function that ends the connection.
 */
export function connectFrame(
  frame: HTMLIFrameElement,
  config: CheckoutConfig,
  hostedOrigin: string,
  handlers: FrameHandlers,
): () => void {
  let ports: MessagePort[] = [];
  const stopWaiting = (): void => {
    clearTimeout(timer);
    frame.onload = null;
  };
  const giveUp = (): void => {
    close();
    handlers.onUnreachable();
  };
  let timer = setTimeout(giveUp, HELLO_TIMEOUT_MS);
  frame.onload = () => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, HELLO_AFTER_LOAD_MS);
  };

  function answerHello(event: MessageEvent<unknown>): void {
    const target = frame.contentWindow;
    if (!target || event.source !== target || event.origin !== hostedOrigin || !isHello(event.data)) return;
    stopWaiting();
    const { port1: port, port2 } = new MessageChannel();
    ports.push(port);
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      closePorts(port);
      const message = readFrameMessage(data);
      if (message !== undefined) handlers.onMessage(message);
    };
    const { version, token, ui, locale } = config;
    const connect: Connect = { tidegate: "connect", version, token, ui, locale };
    target.postMessage(connect, hostedOrigin, [port2]);
  }
  window.addEventListener("message", answerHello);

  /** The page uses the answer to one of its hellos. A port that speaks replaces all others. */
  function closePorts(spared?: MessagePort): void {
    ports = ports.filter((port) => {
      if (port === spared) return true;
      port.postMessage({ type: "destroy" });
      return port.close();
    });
  }

  function close(): void {
    stopWaiting();
    window.removeEventListener("message", answerHello);
    closePorts();
  }

  return close;
}
