import type { ResultCode } from "./client-events.ts";

/** Codes that the browser reports without a request. The server's catalogue has the same numbers and sentences. */
export const CLIENT_CODES = {
  payui_config_invalid: [
    "V11600",
    "Call `initialise` with an object that has `token`, `containerId` and `version`, from a page that loads `payui.js` by a script tag.",
  ],
  payui_token_invalid: ["V11601", "Pass the one-time token that `POST /tokens` returned as `token`."],
  payui_container_id_invalid: [
    "V11602",
    "Pass the id of an element that is on the page when `initialise` is called as `containerId`.",
  ],
  payui_version_invalid: ["V11603", "Pass a version of the checkout that exists as `version`: `1.0.0`."],
  payui_theme_invalid: ["V11604", "Pass `light` or `dark` as `ui.theme`."],
  payui_variable_invalid: [
    "V11605",
    "Use only names that the guide lists in `ui.variables`, each with a plain CSS value.",
  ],
  payui_frame_unreachable: [
    "V11606",
    "Check that the gateway is running and that the page's Content-Security-Policy allows its hosted origin in `frame-src`.",
  ],
  "3d_secure_error": [
    "D04417",
    "Ask the payer to try again and confirm with the card's bank, or to pay with another card; 3D Secure did not succeed.",
  ],
} as const;

export type ClientCode = keyof typeof CLIENT_CODES;

/** `hostedOrigin` redirects to the docs, whose address a browser does not know. */
export function clientCode(message: ClientCode, hostedOrigin?: string, field?: string): ResultCode {
  const [id, detail] = CLIENT_CODES[message];
  const docs = hostedOrigin === undefined ? undefined : `${hostedOrigin}/docs/codes#${id}`;
  return { id, message, detail, ...(docs && { docs }), ...(field !== undefined && { field }) };
}
