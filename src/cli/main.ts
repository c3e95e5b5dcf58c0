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

/** A pipe takes 64 KB at once, and more as its reader reads: an exit before that cuts the output. */
async function printed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write("", () => resolve()));
}

async function exitCodeOf(words: readonly string[]): Promise<0 | 1 | 2> {
  try {
    return await main(words);
  } catch (error) {
    console.error(error instanceof CommandProblem ? `tidegate: ${error.message}` : error);
    return error instanceof UsageProblem ? 2 : 1;
  }
}

// A reader such as `head` may close the pipe early.
process.stdout.on("error", () => {});
const code = await exitCodeOf(process.argv.slice(2));
await printed();
process.exit(code);
