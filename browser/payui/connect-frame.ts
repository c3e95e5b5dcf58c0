import { type Connect, type FrameMessage, isHello, readFrameMessage } from "../protocol/messages.ts";
import type { Order } from "./check-config.ts";

export type Connection = { readonly close: () => void };

type Ends = {
  readonly onMessage: (message: FrameMessage) => void;
  readonly onUnreachable: () => void;
};

const PATIENCE_MS = 15_000;
/** A frame that has loaded has said hello by then: whatever loaded in its place (an error, a refusal) never will. */
const LOADED_PATIENCE_MS = 3_000;

/**
 * Waits for the frame's hello and answers it once, with the token and a port of its own; from then on window messages
 * are not listened to any more. The token goes to the hosted origin and to no other, wherever the frame may have gone.
 */
export function connectFrame(
  frame: HTMLIFrameElement,
  order: Order,
  hostedOrigin: string,
  ends: Ends,
): Connection {
  let port: MessagePort | undefined;
  const stopListening = (): void => {
    clearTimeout(timer);
    frame.removeEventListener("load", hurry);
    window.removeEventListener("message", answerHello);
  };
  const giveUp = (): void => {
    stopListening();
    ends.onUnreachable();
  };
  const hurry = (): void => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, LOADED_PATIENCE_MS);
  };
  let timer = setTimeout(giveUp, PATIENCE_MS);
  frame.addEventListener("load", hurry);

  function answerHello(event: MessageEvent<unknown>): void {
    const target = frame.contentWindow;
    if (target === null || event.source !== target || event.origin !== hostedOrigin) return;
    if (!isHello(event.data)) return;
    stopListening();
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = readFrameMessage(data);
      if (message !== undefined) ends.onMessage(message);
    };
    const { version, token, ui } = order;
    const connect: Connect = { tidegate: "connect", version, token, ui };
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
