import { loaderCode } from "../protocol/client-codes.ts";
import type { ResultCode } from "../protocol/client-events.ts";
import { isObject } from "../protocol/is-object.ts";
import { checkConfig } from "./check-config.ts";
import { checkUi } from "./check-ui.ts";
import { createEventHandlers, type EventHandlers } from "./event-handlers.ts";
import { openCheckout, openNotice } from "./open-checkout.ts";
import type { PayUIInstance } from "./payui.d.ts";
import { reportToIntegrator } from "./report-to-integrator.ts";

/** Puts the checkout into the page. Never throws: problems arrive as an event and in the console. */
export function initialise(config: unknown, hostedOrigin: string | undefined): PayUIInstance {
  const checkedUi = checkUi(isObject(config) ? config : {});
  const handlers = namingIgnored(createEventHandlers(), checkedUi.ignored);
  const checked = checkConfig(config, checkedUi, hostedOrigin);
  let remove: (() => void) | undefined;

  if ("problems" in checked) fail(checked.problems);
  else if (hostedOrigin === undefined) fail([loaderCode("payui_config_invalid", undefined, "")]);
  else remove = openCheckout(checked, hostedOrigin, handlers);

  /** The payer sees it at once. The event follows after the current task: handlers attached right after the call receive it. */
  function fail(codes: readonly ResultCode[]): void {
    const { container } = checked;
    // Only the merchant's page can get a token that opens a form.
    if (container !== null) remove = openNotice(container, () => location.reload());
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
