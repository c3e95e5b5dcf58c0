import type { ResultCode } from "./client-events.ts";

/** Codes that the loader reports without a request. The server's catalogue has the same numbers and sentences. */
export const LOADER_CODES = {
  payui_config_invalid: [
    "V11600",
    "Call `initialise` with an object that has `token`, `containerId` and `version`, from a page that loads `payui.js` by a script tag.",
  ],
  payui_token_invalid: [
    "V11601",
    "Pass the token that `POST /tokens` or the PayID's payment request returned as `token`.",
  ],
  payui_container_id_invalid: [
    "V11602",
    "Pass the id of an element that is on the page when `initialise` is called as `containerId`.",
  ],
  payui_version_invalid: ["V11603", "Pass a version of the checkout that exists as `version`: `1.0.0`."],
} as const;

/** Each apart, because a script should not load the sentences of codes that it never reports. */
const UNREACHABLE = [
  "V11606",
  "Check that the gateway is running and that the page's Content-Security-Policy allows its hosted origin in `frame-src`.",
] as const;
const NOT_AUTHENTICATED = [
  "D04417",
  "Ask the payer to confirm with the card's bank again, or to pay with another card.",
] as const;

export const PAYING_CODES = { payui_frame_unreachable: UNREACHABLE, "3d_secure_error": NOT_AUTHENTICATED };

export type LoaderCode = keyof typeof LOADER_CODES;

export function loaderCode(message: LoaderCode, hostedOrigin?: string, field?: string): ResultCode {
  return codeOf(message, LOADER_CODES[message], hostedOrigin, field);
}

export function unreachableCode(hostedOrigin: string): ResultCode {
  return codeOf("payui_frame_unreachable", UNREACHABLE, hostedOrigin);
}

export function notAuthenticatedCode(hostedOrigin: string): ResultCode {
  return codeOf("3d_secure_error", NOT_AUTHENTICATED, hostedOrigin);
}

/** `hostedOrigin` redirects to the docs, whose address a browser does not know. */
function codeOf(
  message: string,
  [id, detail]: readonly [id: string, detail: string],
  hostedOrigin?: string,
  field?: string,
): ResultCode {
  return {
    id,
    message,
    detail,
    ...(hostedOrigin && { docs: `${hostedOrigin}/docs/codes#${id}` }),
    ...(field !== undefined && { field }),
  };
}
