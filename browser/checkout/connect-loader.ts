import { type Connect, type FrameMessage, type Hello, isDestroy, readConnect } from "../protocol/messages.ts";
import { CHECKOUT_VERSION } from "../protocol/version.ts";

export type Loader = {
  readonly connect: Connect;
  /** Who embeds us, as the browser says, not as the page claims. */
  readonly parentOrigin: string;
  readonly tell: (message: FrameMessage) => void;
  readonly onDestroy: (stop: () => void) => void;
};

const HELLO_EVERY_MS = 200;
const MOST_HELLOS = 50;

/** Says hello until the loader answers, takes exactly one answer, from the parent only, and talks by its port after. */
export function connectLoader(onConnect: (loader: Loader) => void, onAlone: () => void): void {
  let hellos = 0;
  const timer = setInterval(sayHello, HELLO_EVERY_MS);
  sayHello();
  window.addEventListener("message", answer);

  function sayHello(): void {
    hellos += 1;
    if (hellos > MOST_HELLOS || window.parent === window) {
      clearInterval(timer);
      onAlone();
      return;
    }
    const hello: Hello = { tidegate: "hello", version: CHECKOUT_VERSION };
    window.parent.postMessage(hello, "*");
  }

  function answer(event: MessageEvent<unknown>): void {
    const connect = event.source === window.parent ? readConnect(event.data) : undefined;
    const port = event.ports[0];
    if (connect === undefined || port === undefined) return;
    clearInterval(timer);
    window.removeEventListener("message", answer);
    let stop = (): void => undefined;
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isDestroy(data)) stop();
    };
    onConnect({
      connect,
      parentOrigin: event.origin,
      tell: (message) => port.postMessage(message),
      onDestroy: (wanted) => {
        stop = wanted;
      },
    });
  }
}
