import { type Connect, type FrameMessage, type Hello, isDestroy, readConnect } from "../protocol/messages.ts";
import { CHECKOUT_VERSION } from "../protocol/version.ts";

export type Loader = {
  readonly connect: Connect;
  /** The embedding page's origin, as the browser reports it. */
  readonly parentOrigin: string;
  readonly send: (message: FrameMessage) => void;
  readonly onDestroy: (stop: () => void) => void;
};

const HELLO_EVERY_MS = 200;
const MAX_HELLOS = 50;

/** Sends hello until the loader answers. Accepts one answer, from the parent only, and then uses its port. */
export function connectLoader(onConnect: (loader: Loader) => void, onNoLoader: () => void): void {
  let sent = 0;
  const timer = setInterval(sendHello, HELLO_EVERY_MS);
  sendHello();
  window.addEventListener("message", receive);

  function sendHello(): void {
    sent += 1;
    if (sent > MAX_HELLOS || window.parent === window) {
      clearInterval(timer);
      onNoLoader();
      return;
    }
    const hello: Hello = { tidegate: "hello", version: CHECKOUT_VERSION };
    window.parent.postMessage(hello, "*");
  }

  function receive(event: MessageEvent<unknown>): void {
    const connect = event.source === window.parent ? readConnect(event.data) : undefined;
    const port = event.ports[0];
    if (connect === undefined || port === undefined) return;
    clearInterval(timer);
    window.removeEventListener("message", receive);
    let stop = (): void => undefined;
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isDestroy(data)) stop();
    };
    onConnect({
      connect,
      parentOrigin: event.origin,
      send: (message) => port.postMessage(message),
      onDestroy: (callback) => {
        stop = callback;
      },
    });
  }
}
