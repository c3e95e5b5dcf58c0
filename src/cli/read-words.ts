import { parseArgs } from "node:util";
import { type Command, type Given, type Option, UsageProblem } from "./command.ts";
import { nearest } from "./nearest.ts";

/** What somebody typed: a command with all that it needs, or a question for help. */
export type Typed =
  | { readonly asks: "help"; readonly about: Command | readonly Command[] }
  | { readonly asks: "run"; readonly command: Command; readonly given: Given; readonly json: boolean };

const JSON_FLAG: Option = { about: "Print JSON for programs." };
const HELP_FLAG: Option = { about: "Show this." };

/** Finds the command and reads its options. The name of a group, such as `key`, asks for the help of the group. */
export function readWords(commands: readonly Command[], typed: readonly string[]): Typed {
  const words = typed[0] === "help" ? [...typed.slice(1), "--help"] : typed;
  const command = commands
    .filter((one) => startsWith(words, one.words))
    .toSorted((one, other) => other.words.length - one.words.length)[0];
  if (command === undefined) return readGroup(commands, words);
  const rest = words.slice(command.words.split(" ").length);
  // Help is given however wrong the rest is.
  if (isHelp(rest)) return { asks: "help", about: command };
  return { asks: "run", command, ...readOptions(command, rest) };
}

function isHelp(words: readonly string[]): boolean {
  return words.includes("--help") || words.includes("-h");
}

function startsWith(typed: readonly string[], words: string): boolean {
  const wanted = words.split(" ");
  return wanted.every((word, at) => typed[at] === word);
}

function readGroup(commands: readonly Command[], typed: readonly string[]): Typed {
  const from = typed.findIndex((word) => word.startsWith("-"));
  const names = from === -1 ? typed : typed.slice(0, from);
  const name = names.join(" ");
  const group = commands.filter((one) => name === "" || one.words.startsWith(`${name} `));
  const onlyHelp = typed.slice(names.length).every((word) => word === "--help" || word === "-h");
  if (group.length > 0 && onlyHelp) return { asks: "help", about: group };
  const known = [...new Set(commands.flatMap(({ words }) => [words, words.split(" ")[0] ?? words]))];
  const meant = nearest(name, known) ?? nearest(names.slice(0, 2).join(" "), known);
  const hint = meant === undefined ? "" : `, did you mean \`${meant}\`?`;
  throw new UsageProblem(
    `there is no command \`${name || typed.join(" ")}\`${hint || ";"} \`tidegate --help\` lists all`,
  );
}

function readOptions(
  command: Command,
  words: readonly string[],
): { readonly given: Given; readonly json: boolean } {
  const known: Readonly<Record<string, Option>> = { ...command.options, json: JSON_FLAG, help: HELP_FLAG };
  const shapes = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...words],
    options: shapes,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const options: Record<string, string | undefined> = {};
  for (const [name, option] of Object.entries(command.options)) options[name] = option.standard;
  const flags = new Set<string>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (option === undefined) throw unknownOption(token.rawName, Object.keys(known));
    if (option.value === undefined && token.value !== undefined)
      throw new UsageProblem(`${token.rawName} takes no value; see --help`);
    if (option.value === undefined) flags.add(token.name);
    else options[token.name] = givenValue(token, option.value);
  }
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required === true && options[name] === undefined)
      throw new UsageProblem(`--${name} is missing; see --help`);
  }
  const [least, most] = [
    command.positional && !command.positionalOptional ? 1 : 0,
    command.positional ? 1 : 0,
  ];
  if (positionals.length < least) throw new UsageProblem(`<${command.positional}> is missing; see --help`);
  if (positionals.length > most) {
    const what = command.positional === undefined ? "options only" : `one ${command.positional}`;
    throw new UsageProblem(`\`${command.words}\` takes ${what}; see --help`);
  }
  return { given: { options, flags, positionals }, json: flags.has("json") };
}

function givenValue(
  token: {
    readonly rawName: string;
    readonly value?: string | undefined;
    readonly inlineValue?: boolean | undefined;
  },
  wanted: string,
): string {
  const { rawName, value, inlineValue } = token;
  // `--name --json` is a value that was forgotten, not a name.
  if (value === undefined || (inlineValue !== true && value.startsWith("-")))
    throw new UsageProblem(`${rawName} needs a value, <${wanted}>; see --help`);
  return value;
}

function unknownOption(typed: string, known: readonly string[]): UsageProblem {
  const meant = nearest(typed.replace(/^-+/, ""), known);
  const hint = meant === undefined ? "; see --help" : `, did you mean --${meant}? See --help`;
  return new UsageProblem(`there is no option ${typed}${hint}`);
}
