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
    "Environment variables, read and checked once at the start. Every one has a default that works, and an empty one counts as unset. A wrong value stops the start with one line that says what is allowed.",
    table(["Variable", "What it does", "Allowed", "Default"], rows),
  ]);
}
