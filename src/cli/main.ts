import { openContext } from "../app/open-context.ts";
import { operatorMessage } from "../app/operator-message.ts";
import { CATALOGUE, codeId } from "../kernel/codes/catalogue.ts";
import { Refusal } from "../kernel/refusal.ts";
import { actingAs } from "../platform/audit/actor.ts";
import { readSettings } from "../platform/config/settings.ts";
import {
  type Command,
  type CommandOutput,
  CommandProblem,
  type ParsedArguments,
  UsageProblem,
} from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { explain, overview } from "./help.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { commandActor, recordCommand } from "./record-command.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** Returns the exit code. */
async function main(words: readonly string[]): Promise<0 | 1> {
  const parsed = parseCommandLine(COMMANDS, words);
  if (parsed.kind === "help") {
    console.log("name" in parsed.about ? explain(parsed.about) : overview(parsed.about));
    return 0;
  }
  const { command, args, json } = parsed;
  const output = await run(command, args, openTerminal(json));
  for (const line of output.warnings ?? []) console.error(`tidegate: warning: ${line}`);
  if (json && output.json !== undefined) console.log(JSON.stringify(output.json));
  // An empty list prints a line: no output would look like a failure.
  if (!json && output.json !== undefined) console.log(output.lines.join("\n") || "None.");
  return output.failed === true ? 1 : 0;
}

async function run(command: Command, args: ParsedArguments, terminal: Terminal): Promise<CommandOutput> {
  if ("runAlone" in command) return command.runAlone(args, terminal);
  const opened = await openContext(readSettings(process.env));
  try {
    return await actingAs(commandActor(process.env), async () => {
      await recordCommand(opened.ctx, command, args);
      return command.run(opened.ctx, args, terminal);
    });
  } finally {
    await opened.close();
  }
}

/** One line about a problem that the operator can fix; undefined for a bug. */
function messageOf(error: unknown): string | undefined {
  if (error instanceof CommandProblem) return error.message;
  if (!(error instanceof Refusal)) return operatorMessage(error);
  return error.problems
    .map(
      ({ code, field }) => `${CATALOGUE[code].meaning} (${[codeId(code), field].filter(Boolean).join(" ")})`,
    )
    .join(" ");
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  const line = messageOf(error);
  console.error(line === undefined ? error : `tidegate: ${line}`);
  process.exit(error instanceof UsageProblem ? 2 : 1);
}
