import { loaderCode } from "../protocol/client-codes.ts";
import type { ResultCode } from "../protocol/client-events.ts";
import { isObject } from "../protocol/is-object.ts";
import { checkConfig } from "./check-config.ts";
import { checkUi } from "./check-ui.ts";
import { createEventHandlers, type EventHandlers } from "./event-handlers.ts";
import { openCheckout } from "./open-checkout.ts";
import type { PayUIInstance } from "./payui.d.ts";
import { reportToIntegrator, warnIntegrator } from "./report-to-integrator.ts";

/** Puts the checkout into the page. Never throws: problems arrive as an event and in the console. */
export function initialise(config: unknown, hostedOrigin: string | undefined): PayUIInstance {
  const checkedUi = checkUi(isObject(config) ? config : {});
  const { ignored } = checkedUi;
  for (const { sentence } of ignored) warnIntegrator(sentence);
  const handlers = namingIgnored(
    createEventHandlers(),
    ignored.map(({ key }) => key),
  );
  const checked = checkConfig(config, checkedUi, hostedOrigin);
  let remove: (() => void) | undefined;

  if ("problems" in checked) failLater(checked.problems);
  else if (hostedOrigin === undefined) failLater([loaderCode("payui_config_invalid", undefined, "")]);
  else remove = openCheckout(checked, hostedOrigin, handlers);

  /** Emits after the current task, so that handlers attached right after the call receive the event. */
  function failLater(codes: readonly ResultCode[]): void {
    for (const code of codes) reportToIntegrator(code.detail, code);
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

/** Adds the keys that were left out to every `initialise` event, so that a test or a monitor sees them without a console. */
function namingIgnored(handlers: EventHandlers, ignored: readonly string[]): EventHandlers {
  if (ignored.length === 0) return handlers;
  return {
    ...handlers,
    emit: (name, payload) => handlers.emit(name, name === "initialise" ? { ...payload, ignored } : payload),
  };
}
