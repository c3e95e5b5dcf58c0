import { openLiveConnectors } from "../../app/connectors.ts";
import { CLOSE_KEY_FILE, openKeyFiles } from "../../app/live-checks.ts";
import { operatorMessage } from "../../app/operator-message.ts";
import type { Settings } from "../../platform/config/settings.ts";
import { masterKeySource } from "../../platform/vault/master/master-key-source.ts";
import { type Finding, findings } from "./finding.ts";

const keys = findings("key files");

/** Reads the files as a start does. It needs no database, so that a wrong file is named while that is down, too. */
export async function checkKeyFiles(settings: Settings): Promise<Finding> {
  try {
    const connectors = await openLiveConnectors(settings);
    await connectors.close();
    const master = masterKeySource(settings);
    if (await master.isThere()) await master.read();
  } catch (error) {
    const message = operatorMessage(error);
    if (message === undefined) throw error;
    return keys.fail(message, "fix that file or its rights, or set the variable to another one");
  }
  const open = await openKeyFiles(settings);
  if (open.length === 0) return keys.ok("readable here, closed to other users");
  const named = open.map(({ namedBy, file }) => `${namedBy} names ${file}`).join(", ");
  return keys.warn(`other users can read them: ${named}`, CLOSE_KEY_FILE);
}
