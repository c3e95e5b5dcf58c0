import { VERSION } from "../app/version.ts";
import { CommandProblem, UsageProblem } from "./command.ts";
import { DECLARATIONS } from "./generated/declarations.ts";
import { explain, overview } from "./help.ts";
import { parseCommandLine } from "./parse-command-line.ts";

/** Returns the exit code. Help and mistakes on the command line need no code of a command: they are answered at once. */
async function main(words: readonly string[]): Promise<0 | 1> {
  const parsed = parseCommandLine(DECLARATIONS, words);
  if (parsed.kind === "version") {
    console.log(VERSION);
    return 0;
  }
  if (parsed.kind === "help") {
    console.log("name" in parsed.about ? explain(parsed.about) : overview(parsed.about));
    return 0;
  }
  const { runCommand } = await import("./run-command.ts");
  return runCommand(parsed);
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof CommandProblem ? `tidegate: ${error.message}` : error);
  process.exit(error instanceof UsageProblem ? 2 : 1);
}
