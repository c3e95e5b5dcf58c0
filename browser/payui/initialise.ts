import { ownCode } from "../protocol/client-codes.ts";
import { checkConfig } from "./check-config.ts";
import { createEventHandlers } from "./event-handlers.ts";
import { openCheckout } from "./open-checkout.ts";
import type { PayUIInstance } from "./payui.d.ts";
import { type Mistake, reportToIntegrator } from "./report-to-integrator.ts";

const NO_ORIGIN: Mistake = {
  sentence: "load payui.js from the gateway by a script tag.",
  code: ownCode("payui_config_invalid", ""),
};

/** Puts the checkout into the page. Whatever is wrong is told by event and console, never thrown. */
export function initialise(config: unknown, hostedOrigin: string | undefined): PayUIInstance {
  const handlers = createEventHandlers();
  const order = checkConfig(config);
  let takeDown: (() => void) | undefined;

  if ("mistakes" in order) failLater(order.mistakes);
  else if (hostedOrigin === undefined) failLater([NO_ORIGIN]);
  else takeDown = openCheckout(order, hostedOrigin, handlers);

  /** Later, so that handlers that are attached right after the call hear of it. */
  function failLater(mistakes: readonly Mistake[]): void {
    for (const { sentence, code } of mistakes) reportToIntegrator(sentence, code);
    const codes = mistakes.map(({ code }) => code);
    setTimeout(() => handlers.emit("initialise", { result: { status: "failed", codes } }));
  }

  return {
    on: handlers.on,
    off: handlers.off,
    destroy: () => {
      takeDown?.();
      takeDown = undefined;
      handlers.clear();
    },
  };
}
