import { EVENT_NAMES, type EventName, type EventPayload, isEventName } from "../protocol/client-events.ts";
import { reportToIntegrator } from "./report-to-integrator.ts";

type Handler = (payload: EventPayload) => void;

export type EventHandlers = {
  readonly on: (name: unknown, handler: unknown) => void;
  readonly off: (name: unknown, handler?: unknown) => void;
  readonly emit: (name: EventName, payload: EventPayload) => void;
  readonly clear: () => void;
};

export function createEventHandlers(): EventHandlers {
  let attached: readonly { readonly name: EventName; readonly handler: Handler }[] = [];

  return {
    on: (name, handler) => {
      if (!isKnownEvent(name)) return;
      if (!isHandler(handler)) reportToIntegrator(`the handler of "${name}" is not a function.`);
      else attached = [...attached, { name, handler }];
    },
    off: (name, handler) => {
      if (!isKnownEvent(name)) return;
      attached = attached.filter(
        (one) => one.name !== name || (handler !== undefined && one.handler !== handler),
      );
    },
    emit: (name, payload) => {
      for (const one of attached) {
        if (one.name === name) callSafely(one.handler, payload);
      }
    },
    clear: () => {
      attached = [];
    },
  };
}

function isKnownEvent(name: unknown): name is EventName {
  if (isEventName(name)) return true;
  reportToIntegrator(`there is no event "${String(name)}"; the events are ${EVENT_NAMES.join(", ")}.`);
  return false;
}

function isHandler(handler: unknown): handler is Handler {
  return typeof handler === "function";
}

/** A handler that throws does not stop the others; its error still reaches the console and the page's error reporting. */
function callSafely(handler: Handler, payload: EventPayload): void {
  try {
    handler(payload);
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}
