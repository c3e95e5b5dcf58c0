import type { World } from "../platform/world.ts";

/** An option of a command, as `parseArgs` of node takes it, and as `--help` explains it. Without a value it is a flag. */
export type Option = {
  readonly value?: string;
  readonly about: string;
  readonly required?: boolean;
  readonly standard?: string;
};

export type Given = {
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly flags: ReadonlySet<string>;
  readonly positionals: readonly string[];
};

/** What a command has to say: an object for `--json`, and lines for people. */
export type Said = {
  readonly json: unknown;
  readonly lines: readonly string[];
  /** What the operator must not overlook; goes to standard error. */
  readonly warnings?: readonly string[];
  /** The command did its work and found something wrong: exit code 1. */
  readonly failed?: boolean;
};

export type Command = {
  /** As it is typed, such as `key revoke`. */
  readonly words: string;
  readonly about: string;
  /** Name of the one thing that is given without an option, such as `keyId`. */
  readonly positional?: string;
  readonly options: Readonly<Record<string, Option>>;
  /** `tell` shows how far long work has come. */
  readonly run: (world: World, given: Given, tell: (line: string) => void) => Promise<Said>;
};

/** The command was typed wrongly, or names something that isn't there. The message is one line. */
export class CommandProblem extends Error {
  override readonly name = "CommandProblem";
}

export function optionOf(given: Given, name: string): string {
  const value = given.options[name];
  if (value === undefined) throw new CommandProblem(`--${name} is missing`);
  return value;
}

export function choiceOf<const Value extends string>(
  given: Given,
  name: string,
  among: readonly Value[],
): Value {
  const value = optionOf(given, name);
  const choice = among.find((one) => one === value);
  if (choice === undefined) throw new CommandProblem(`--${name} must be one of: ${among.join(", ")}`);
  return choice;
}
