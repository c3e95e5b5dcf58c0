import { parseArgs } from "node:util";
import { closestMatch } from "../kernel/closest-match.ts";
import { type Declaration, type Option, type ParsedArguments, UsageProblem } from "./command.ts";

/** A command line: a command with its arguments, or a request for help. */
export type ParsedCommandLine<Known extends Declaration> =
  | { readonly kind: "help"; readonly about: Known | readonly Known[] }
  | { readonly kind: "version" }
  | {
      readonly kind: "run";
      readonly command: Known;
      readonly args: ParsedArguments;
      readonly json: boolean;
    };

const JSON_FLAG: Option = { about: "Print JSON for programs." };
const HELP_FLAG: Option = { about: "Show this." };

type Options = Readonly<Record<string, Option>>;

/** Finds the command and parses its options. The name of a group, such as `key`, requests the group's help. */
export function parseCommandLine<Known extends Declaration>(
  commands: readonly Known[],
  typed: readonly string[],
): ParsedCommandLine<Known> {
  if (typed.length === 1 && isVersion(typed[0])) return { kind: "version" };
  const words = typed[0] === "help" ? [...typed.slice(1), "--help"] : typed;
  const command = commands
    .filter(({ name }) => startsWith(words, name))
    .toSorted((one, other) => other.name.length - one.name.length)[0];
  if (command === undefined) return parseGroup(commands, words);
  const rest = words.slice(command.name.split(" ").length);
  // Help takes precedence over every mistake in the rest.
  if (rest.some(isHelp)) return { kind: "help", about: command };
  const args = parseArguments(command, rest);
  return { kind: "run", command, args, json: args.flags.has("json") };
}

function isHelp(word: string): boolean {
  return word === "--help" || word === "-h";
}

function isVersion(word: string | undefined): boolean {
  return word === "--version" || word === "-v" || word === "version";
}

function startsWith(words: readonly string[], name: string): boolean {
  return name.split(" ").every((word, at) => words[at] === word);
}

function parseGroup<Known extends Declaration>(
  commands: readonly Known[],
  words: readonly string[],
): ParsedCommandLine<Known> {
  const firstOption = words.findIndex((word) => word.startsWith("-"));
  const names = firstOption === -1 ? words : words.slice(0, firstOption);
  const typedName = names.join(" ");
  const group = commands.filter(({ name }) => typedName === "" || name.startsWith(`${typedName} `));
  if (group.length > 0 && words.slice(names.length).every(isHelp)) return { kind: "help", about: group };
  const known = [...new Set(commands.flatMap(({ name }) => [name, name.split(" ")[0] ?? name]))];
  const match = closestMatch(typedName, known) ?? closestMatch(names.slice(0, 2).join(" "), known);
  const hint = match === undefined ? ";" : `, did you mean \`${match}\`?`;
  throw new UsageProblem(
    `there is no command \`${typedName || words.join(" ")}\`${hint} \`tidegate --help\` lists all`,
  );
}

function parseArguments(command: Declaration, words: readonly string[]): ParsedArguments {
  const known: Options = { ...command.options, json: JSON_FLAG, help: HELP_FLAG };
  const options: Record<string, string | undefined> = {};
  for (const [name, option] of Object.entries(command.options)) options[name] = option.default;
  const lists: Record<string, string[]> = {};
  for (const [name, { many }] of Object.entries(command.options)) if (many) lists[name] = [];
  const flags = new Set<string>();
  const positionals: string[] = [];
  const given = new Set<string>();
  for (const token of tokensOf(known, words)) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (option === undefined) throw unknownOption(token.rawName, Object.keys(known));
    if (given.has(token.rawName) && option.value !== undefined && option.many !== true)
      throw new UsageProblem(`${token.rawName} is given twice; see --help`);
    given.add(token.rawName);
    if (option.many) lists[token.name]?.push(optionValue(token, option.value ?? ""));
    else if (option.value !== undefined) options[token.name] = optionValue(token, option.value);
    else if (token.value === undefined) flags.add(token.name);
    else throw new UsageProblem(`${token.rawName} takes no value; see --help`);
  }
  refuseMissingOptions(command, options);
  refusePositionals(command, positionals.length);
  if (positionals.length > 0) given.add(`<${command.positional}>`);
  refuseContradictions(command, given);
  return { options, lists, flags, positionals };
}

function tokensOf(known: Options, words: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  return parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

function optionValue(
  token: {
    readonly rawName: string;
    readonly value?: string | undefined;
    readonly inlineValue?: boolean | undefined;
  },
  placeholder: string,
): string {
  const { rawName, value, inlineValue } = token;
  // In `--name --json` the value is missing; the name is not "--json".
  if (value === undefined || (inlineValue !== true && value.startsWith("-")))
    throw new UsageProblem(`${rawName} needs a value, <${placeholder}>; see --help`);
  return value;
}

function refuseMissingOptions(command: Declaration, options: ParsedArguments["options"]): void {
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required === true && options[name] === undefined)
      throw new UsageProblem(`--${name} is missing; see --help`);
  }
}

function refuseContradictions(command: Declaration, given: ReadonlySet<string>): void {
  for (const [name, { notWith = [] }] of Object.entries(command.options)) {
    const other = given.has(`--${name}`) ? notWith.find((one) => given.has(one)) : undefined;
    if (other !== undefined) throw new UsageProblem(`--${name} does not go with ${other}; see --help`);
  }
}

function refusePositionals(command: Declaration, count: number): void {
  const { name, positional, positionalOptional, positionalMany } = command;
  if (count === 0 && positional !== undefined && positionalOptional !== true)
    throw new UsageProblem(`<${positional}> is missing; see --help`);
  if (positionalMany === true) return;
  if (count > (positional === undefined ? 0 : 1)) {
    const accepted = positional === undefined ? "options only" : `one ${positional}`;
    throw new UsageProblem(`\`${name}\` takes ${accepted}; see --help`);
  }
}

function unknownOption(typed: string, known: readonly string[]): UsageProblem {
  const match = closestMatch(typed.replace(/^-+/, ""), known);
  const hint = match === undefined ? "; see --help" : `, did you mean --${match}? See --help`;
  return new UsageProblem(`there is no option ${typed}${hint}`);
}
