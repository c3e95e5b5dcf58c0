import type { ResultCode } from "./client-events.ts";

/** Codes that the browser reports without a request. The server's catalogue has the same numbers. */
const IDS = {
  payui_config_invalid: "V11600",
  payui_token_invalid: "V11601",
  payui_container_id_invalid: "V11602",
  payui_version_invalid: "V11603",
  payui_theme_invalid: "V11604",
  payui_variable_invalid: "V11605",
  payui_frame_unreachable: "V11606",
  "3d_secure_error": "D04417",
} as const;

export type ClientCode = keyof typeof IDS;

export function clientCode(message: ClientCode, field?: string): ResultCode {
  const id = IDS[message];
  return field === undefined ? { id, message } : { id, message, field };
}
