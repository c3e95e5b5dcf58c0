import { type OwnCode, ownCode } from "../protocol/client-codes.ts";
import { isObject } from "../protocol/is-object.ts";
import type { UiOptions } from "../protocol/messages.ts";
import { type OpenPart, openPartOf } from "../protocol/one-time-token.ts";
import { KNOWN_VERSIONS } from "../protocol/version.ts";
import { checkUi } from "./check-ui.ts";
import type { Mistake } from "./report-to-integrator.ts";

export type Order = OpenPart & {
  readonly token: string;
  readonly container: HTMLElement;
  readonly version: string;
  readonly ui: UiOptions;
};

/** Everything that can be known to be wrong before any request, so that no token is spent on it. */
export function checkConfig(config: unknown): Order | { readonly mistakes: readonly Mistake[] } {
  if (!isObject(config)) {
    return failed(
      "initialise needs an object with token, containerId and version.",
      "payui_config_invalid",
      "",
    );
  }
  const { token, containerId, version, ui = {} } = config;
  const mistakes: Mistake[] = [];
  const wrong = (sentence: string, name: OwnCode, field: string): void => {
    mistakes.push({ sentence, code: ownCode(name, field) });
  };

  const openPart = typeof token === "string" ? openPartOf(token) : undefined;
  if (openPart === undefined) {
    wrong(
      "token must be the one-time token that your server got from POST /tokens.",
      "payui_token_invalid",
      "/token",
    );
  }

  const container = typeof containerId === "string" ? document.getElementById(containerId) : null;
  if (container === null) {
    const sentence =
      "containerId must be the id of an element that is on the page when initialise is called.";
    wrong(sentence, "payui_container_id_invalid", "/containerId");
  }

  if (typeof version !== "string" || !KNOWN_VERSIONS.some((known) => known === version)) {
    wrong(`version must be one of: ${KNOWN_VERSIONS.join(", ")}.`, "payui_version_invalid", "/version");
  }

  mistakes.push(...checkUi(ui));
  if (mistakes.length > 0 || openPart === undefined || container === null) return { mistakes };
  return {
    ...openPart,
    token: String(token),
    container,
    version: String(version),
    ui: cleanUi(ui),
  };
}

/** Only what was checked goes on: a function among the rest could not be sent to the frame. */
function cleanUi(ui: unknown): UiOptions {
  const { theme, variables } = isObject(ui) ? ui : {};
  return { theme, variables };
}

function failed(sentence: string, name: OwnCode, field: string): { readonly mistakes: readonly Mistake[] } {
  return { mistakes: [{ sentence, code: ownCode(name, field) }] };
}
