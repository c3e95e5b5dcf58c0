import { parseArgs } from "node:util";
import { openWorld } from "../app/open-world.ts";
import { lineForOperator } from "../app/operator-line.ts";
import { readSettings } from "../platform/config/settings.ts";
import { AUDIT_COMMANDS } from "./audit-commands.ts";
import { type Command, CommandProblem, type Given } from "./command.ts";
import { DEBIT_COMMANDS } from "./debit-commands.ts";
import { DOMAIN_COMMANDS } from "./domain-commands.ts";
import { EVENT_COMMANDS } from "./event-commands.ts";
import { explain, overview } from "./help.ts";
import { KEY_COMMANDS } from "./key-commands.ts";
import { MERCHANT_COMMANDS } from "./merchant-commands.ts";
import { PAYID_COMMANDS } from "./payid-commands.ts";
import { RECONCILE_COMMANDS } from "./reconcile-commands.ts";
import { VAULT_COMMANDS } from "./vault-commands.ts";

const COMMANDS: readonly Command[] = [
  ...MERCHANT_COMMANDS,
  ...KEY_COMMANDS,
  ...EVENT_COMMANDS,
  ...PAYID_COMMANDS,
  ...VAULT_COMMANDS,
  ...AUDIT_COMMANDS,
  ...DOMAIN_COMMANDS,
  ...DEBIT_COMMANDS,
  ...RECONCILE_COMMANDS,
];

/** Gives the exit code. */
async function main(words: readonly string[]): Promise<0 | 1> {
  const command = COMMANDS.find((one) => isTyped(one, words));
  if (command === undefined) {
    if (words.length === 0 || words.includes("--help")) return show(overview(COMMANDS));
    throw new CommandProblem("there is no such command; `tidegate --help` lists them");
  }
  const { given, json, help } = read(command, words.slice(command.words.split(" ").length));
  if (help) return show(explain(command));
  const opened = await openWorld(readSettings(process.env));
  try {
    const said = await command.run(opened.world, given, (line) => console.error(line));
    for (const line of said.warnings ?? []) console.error(`tidegate: warning: ${line}`);
    show(json ? JSON.stringify(said.json) : said.lines.join("\n"));
    return said.failed === true ? 1 : 0;
  } finally {
    await opened.close();
  }
}

/** A command is one word or two. */
function isTyped({ words }: Command, typed: readonly string[]): boolean {
  return typed.slice(0, words.split(" ").length).join(" ") === words;
}

function show(text: string): 0 {
  console.log(text);
  return 0;
}

function read(command: Command, words: readonly string[]): { given: Given; json: boolean; help: boolean } {
  const own: Record<string, { type: "string" | "boolean" }> = {};
  for (const [name, { value }] of Object.entries(command.options)) {
    own[name] = { type: value === undefined ? "boolean" : "string" };
  }
  const parsed = parse(words, own);
  const { json, help, ...rest } = parsed.values;
  const options: Record<string, string> = {};
  const flags = new Set<string>();
  for (const [name, value] of Object.entries(rest)) {
    if (typeof value === "string") options[name] = value;
    else if (value === true) flags.add(name);
  }
  if (help !== true && parsed.positionals.length !== (command.positional === undefined ? 0 : 1)) {
    throw new CommandProblem(
      `takes ${command.positional ? `one ${command.positional}` : "options only"}; see --help`,
    );
  }
  const standards: Record<string, string | undefined> = {};
  for (const [name, option] of Object.entries(command.options)) standards[name] = option.standard;
  return {
    given: { options: { ...standards, ...options }, flags, positionals: parsed.positionals },
    json: json === true,
    help: help === true,
  };
}

function parse(words: readonly string[], own: Record<string, { type: "string" | "boolean" }>) {
  const flags = { json: { type: "boolean" as const }, help: { type: "boolean" as const } };
  try {
    return parseArgs({ args: [...words], options: { ...own, ...flags }, allowPositionals: true });
  } catch (error) {
    throw new CommandProblem(
      `${error instanceof Error ? error.message.split(".")[0] : "bad options"}; see --help`,
    );
  }
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  const line = error instanceof CommandProblem ? error.message : lineForOperator(error);
  console.error(line === undefined ? error : `tidegate: ${line}`);
  process.exit(1);
}
