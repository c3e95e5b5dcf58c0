import type { ResultCode } from "./client-events.ts";

/** What the loader itself can find wrong, before any request. The server's catalogue has the same codes. */
const MESSAGES = {
  V11600: "payui_config_invalid",
  V11601: "payui_token_invalid",
  V11602: "payui_container_id_invalid",
  V11603: "payui_version_invalid",
  V11604: "payui_theme_invalid",
  V11605: "payui_variable_invalid",
  V11606: "payui_frame_unreachable",
} as const;

export type LoaderCode = keyof typeof MESSAGES;

export function loaderCode(id: LoaderCode, field?: string): ResultCode {
  const message = MESSAGES[id];
  return field === undefined ? { id, message } : { id, message, field };
}
