import { loaderCode } from "../protocol/client-codes.ts";
import { checkConfig } from "./check-config.ts";
import { createEventHandlers } from "./event-handlers.ts";
import { openCheckout } from "./open-checkout.ts";
import type { PayUIInstance } from "./payui.d.ts";
import { type ConfigProblem, reportToIntegrator } from "./report-to-integrator.ts";

const NO_ORIGIN: ConfigProblem = {
  sentence: "load payui.js from the gateway by a script tag.",
  code: loaderCode("payui_config_invalid", undefined, ""),
};

/** Puts the checkout into the page. Never throws: problems arrive as an event and in the console. */
export function initialise(config: unknown, hostedOrigin: string | undefined): PayUIInstance {
  const handlers = createEventHandlers();
  const checked = checkConfig(config, hostedOrigin);
  let remove: (() => void) | undefined;

  if ("problems" in checked) failLater(checked.problems);
  else if (hostedOrigin === undefined) failLater([NO_ORIGIN]);
  else remove = openCheckout(checked, hostedOrigin, handlers);

  /** Emits after the current task, so that handlers attached right after the call receive the event. */
  function failLater(problems: readonly ConfigProblem[]): void {
    for (const { sentence, code } of problems) reportToIntegrator(sentence ?? code.detail, code);
    const codes = problems.map(({ code }) => code);
    setTimeout(() => handlers.emit("initialise", { result: { status: "failed", codes } }));
  }

  return {
    on: handlers.on,
    off: handlers.off,
    destroy: () => {
      remove?.();
      remove = undefined;
      handlers.clear();
    },
  };
}
