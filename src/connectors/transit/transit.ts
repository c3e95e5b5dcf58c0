import type { Settings } from "../../platform/config/settings.ts";
import type { Log } from "../../platform/log/log.ts";
import type { KeyWrapper } from "../ports/key-wrapper.ts";
import { openKeyService } from "./call-transit.ts";
import { createTransitKeyWrapper } from "./transit-key-wrapper.ts";

/** The wrappers of the key service that the operator has set up; none without one. Nothing is called yet. */
export function openTransit(
  settings: Settings,
  log: Pick<Log, "error">,
  onProblem = () => {},
): { readonly vault?: KeyWrapper; readonly texts?: KeyWrapper } {
  if (settings.transitUrl === undefined) return {};
  const service = openKeyService(settings, log, onProblem);
  const mount = settings.transitMount ?? "transit";
  const { transitKey, transitTextKey } = settings;
  return {
    ...(transitKey !== undefined && { vault: createTransitKeyWrapper(service, mount, transitKey) }),
    ...(transitTextKey !== undefined && { texts: createTransitKeyWrapper(service, mount, transitTextKey) }),
  };
}
