import { openContext } from "../app/open-context.ts";
import { lineForOperator } from "../app/operator-line.ts";
import { CATALOGUE, codeId } from "../kernel/codes/catalogue.ts";
import { Refusal } from "../kernel/refusal.ts";
import { readSettings } from "../platform/config/settings.ts";
import { type Command, CommandProblem, type Given, type Said, UsageProblem } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { explain, overview } from "./help.ts";
import { readWords } from "./read-words.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** Gives the exit code. */
async function main(words: readonly string[]): Promise<0 | 1> {
  const typed = readWords(COMMANDS, words);
  if (typed.asks === "help") {
    console.log("words" in typed.about ? explain(typed.about) : overview(typed.about));
    return 0;
  }
  const { command, given, json } = typed;
  const said = await run(command, given, openTerminal(json));
  for (const line of said.warnings ?? []) console.error(`tidegate: warning: ${line}`);
  if (json && said.json !== undefined) console.log(JSON.stringify(said.json));
  // A list of nothing says so: silence would look like a failure.
  if (!json && said.json !== undefined) console.log(said.lines.join("\n") || "There is none.");
  return said.failed === true ? 1 : 0;
}

async function run(command: Command, given: Given, terminal: Terminal): Promise<Said> {
  if ("runAlone" in command) return command.runAlone(given, terminal);
  const opened = await openContext(readSettings(process.env));
  try {
    return await command.run(opened.ctx, given, terminal);
  } finally {
    await opened.close();
  }
}

/** What somebody can mend, in one line; undefined for a bug. */
function lineOf(error: unknown): string | undefined {
  if (error instanceof CommandProblem) return error.message;
  if (!(error instanceof Refusal)) return lineForOperator(error);
  return error.problems
    .map(
      ({ code, field }) => `${CATALOGUE[code].meaning} (${[codeId(code), field].filter(Boolean).join(" ")})`,
    )
    .join(" ");
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  const line = lineOf(error);
  console.error(line === undefined ? error : `tidegate: ${line}`);
  process.exit(error instanceof UsageProblem ? 2 : 1);
}
