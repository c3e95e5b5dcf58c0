import { openContext } from "../app/open-context.ts";
import { operatorMessage } from "../app/operator-message.ts";
import { CATALOGUE, codeId } from "../kernel/codes/catalogue.ts";
import { Refusal } from "../kernel/refusal.ts";
import { actingAs } from "../platform/audit/actor.ts";
import { readSettings } from "../platform/config/settings.ts";
import { type Command, type CommandOutput, CommandProblem, type ParsedArguments } from "./command.ts";
import { COMMAND_GROUPS, type CommandGroup } from "./commands.ts";
import { commandActor, recordCommand } from "./record-command.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

export type ChosenCommand = {
  readonly command: { readonly name: string; readonly group: CommandGroup };
  readonly args: ParsedArguments;
  readonly json: boolean;
};

/** Runs the command, prints its output and returns the exit code. Throws a bug or a problem of one line. */
export async function runCommand({ command: chosen, args, json }: ChosenCommand): Promise<0 | 1> {
  const commands: readonly Command[] = await COMMAND_GROUPS[chosen.group]();
  const command = commands.find(({ name }) => name === chosen.name);
  if (command === undefined) throw new Error(`${chosen.name} is not in ${chosen.group}: run npm run docs`);
  const output = await run(command, args, openTerminal(json)).catch((error: unknown) => {
    throw problemOf(error);
  });
  for (const line of output.warnings ?? []) console.error(`tidegate: warning: ${line}`);
  if (json && output.json !== undefined) console.log(JSON.stringify(output.json));
  // An empty list prints a line: no output would look like a failure.
  if (!json && output.json !== undefined) console.log(output.lines.join("\n") || "None.");
  if (output.problem !== undefined) throw problemOf(output.problem);
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

function problemOf(error: unknown): unknown {
  const line = messageOf(error);
  return line === undefined || error instanceof CommandProblem ? error : new CommandProblem(line);
}

/** One line about a problem that the operator can fix; undefined for a bug. */
function messageOf(error: unknown): string | undefined {
  if (!(error instanceof Refusal)) return operatorMessage(error);
  return error.problems
    .map(
      ({ code, field }) => `${CATALOGUE[code].meaning} (${[codeId(code), field].filter(Boolean).join(" ")})`,
    )
    .join(" ");
}
