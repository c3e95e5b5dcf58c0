import { openContext } from "../../src/app/open-context.ts";
import { type CommandOutput, CommandProblem, UsageProblem } from "../../src/cli/command.ts";
import { loadAllCommands } from "../../src/cli/commands.ts";
import { parseCommandLine } from "../../src/cli/parse-command-line.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import type { Settings } from "../../src/platform/config/settings.ts";
import type { Context } from "../../src/platform/context.ts";
import type { TestGateway } from "./gateway.ts";

type Place = Pick<TestGateway, "settings" | "database"> & {
  /** Replaces parts of the context that the command runs in. */
  readonly wrapContext?: (ctx: Context) => Context;
  /** Replaces parts of the terminal, which is silent. */
  readonly terminal?: Partial<Terminal>;
};

/** Runs an operator command in this process, on a gateway's database, without printing. */
export async function typeCommand(
  { settings, database, wrapContext = (ctx) => ctx, terminal }: Place,
  ...words: readonly string[]
): Promise<CommandOutput> {
  const typed = parseCommandLine(await loadAllCommands(), words);
  if (typed.kind !== "run" || "runAlone" in typed.command)
    throw new Error(`no such command: ${words.join(" ")}`);
  const here: Settings = { ...settings, databaseUrl: database.url };
  const { ctx, close } = await openContext(here);
  try {
    return await typed.command.run(wrapContext(ctx), typed.args, { ...SILENT, ...terminal });
  } finally {
    await close();
  }
}

/** Runs a command that needs no gateway. */
export async function typeAlone(...words: readonly string[]): Promise<CommandOutput> {
  const typed = parseCommandLine(await loadAllCommands(), words);
  if (typed.kind !== "run" || !("runAlone" in typed.command))
    throw new Error(`no such command: ${words.join(" ")}`);
  return typed.command.runAlone(typed.args, SILENT);
}

/** As `typeCommand`, with the exit code and the error message. */
export async function tryCommand(...typed: Parameters<typeof typeCommand>) {
  try {
    const { json, failed } = await typeCommand(...typed);
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
    return { code: failed ? 1 : 0, output: json as any, stderr: "" };
  } catch (error) {
    if (!(error instanceof CommandProblem)) throw error;
    return { code: error instanceof UsageProblem ? 2 : 1, output: undefined, stderr: error.message };
  }
}

const SILENT: Terminal = {
  json: false,
  note: () => {},
  print: async () => {},
  progress: () => {},
  interrupted: () => new AbortController().signal,
};

/** Splits a line into words as a shell does. */
export function wordsOf(line: string): readonly string[] {
  return (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, "$2"));
}
