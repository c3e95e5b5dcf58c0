import { readSettings } from "../platform/config/settings.ts";
import { operatorMessage } from "./operator-message.ts";
import { runGateway } from "./run-gateway.ts";

try {
  await runGateway(readSettings(process.env));
  process.exit(0);
} catch (error) {
  const line = operatorMessage(error);
  console.error(line === undefined ? error : `tidegate: ${line}`);
  process.exit(1);
}
