import { loaderCode } from "../protocol/loader-codes.ts";
import type { Order } from "./check-config.ts";
import { connectFrame } from "./connect-frame.ts";
import type { EventHandlers } from "./event-handlers.ts";
import { makeFrame, setHeight } from "./frame-element.ts";
import { tellIntegrator } from "./tell-integrator.ts";

const UNREACHABLE =
  "the checkout's frame did not answer; is the gateway up, and allowed in your Content-Security-Policy (frame-src)?";

/** Puts the frame into the container and passes on what it says. Returns how to take it down again. */
export function openCheckout(order: Order, hostedOrigin: string, handlers: EventHandlers): () => void {
  const frame = makeFrame(order, hostedOrigin);
  const connection = connectFrame(frame, order, hostedOrigin, {
    onMessage: (message) => {
      if (message.type === "height") {
        setHeight(frame, message.height);
        return;
      }
      const { codes = [], status } = message.payload.result;
      if (message.name === "initialise" && status !== "ok") {
        for (const code of codes) tellIntegrator("the checkout could not start.", code);
      }
      handlers.emit(message.name, message.payload);
    },
    onUnreachable: () => {
      const code = loaderCode("V11606");
      tellIntegrator(UNREACHABLE, code);
      takeDown();
      handlers.emit("initialise", { result: { status: "failed", codes: [code] } });
    },
  });

  function takeDown(): void {
    connection.close();
    frame.parentNode?.removeChild(frame);
  }

  order.container.appendChild(frame);
  return takeDown;
}
