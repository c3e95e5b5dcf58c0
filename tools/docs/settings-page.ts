import { SETTINGS } from "../../src/platform/config/settings.ts";
import { page, table } from "./markdown.ts";

export function settingsPage(): string {
  const rows = Object.values(SETTINGS).map(({ variable, about, allowed, standard }) => [
    `\`${variable}\``,
    about,
    allowed,
    standard,
  ]);
  return page("Settings", "[src/platform/config/settings.ts](../../src/platform/config/settings.ts)", [
    "Environment variables, read and validated once at the start. Each has a working default, and an empty one counts as unset. An invalid value stops the start with one line that says what is allowed.",
    table(["Variable", "What it does", "Allowed", "Default"], rows),
  ]);
}
