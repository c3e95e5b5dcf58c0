import type { Context } from "../platform/context.ts";
import type { Terminal } from "./terminal.ts";

/** An option of a command, as it is typed, and as `--help` explains it. Without a value it is a flag. */
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
  /** Undefined: all was said while it ran. */
  readonly json: unknown;
  readonly lines: readonly string[];
  /** What the operator must not overlook; goes to standard error. */
  readonly warnings?: readonly string[];
  /** The command did its work and found something wrong: exit code 1. */
  readonly failed?: boolean;
};

type Declared = {
  /** As it is typed, such as `key revoke`. */
  readonly words: string;
  readonly about: string;
  /** Name of the one thing that is given without an option, such as `keyId`. */
  readonly positional?: string;
  /** The positional may be left out. */
  readonly positionalOptional?: true;
  readonly options: Readonly<Record<string, Option>>;
  /** What follows `tidegate` in a call that somebody may want to make; at least one. */
  readonly examples: readonly [string, ...string[]];
};

/** A command on the gateway's database, which is opened, migrated and closed for it. */
type InContext = Declared & {
  readonly run: (ctx: Context, given: Given, terminal: Terminal) => Promise<Said>;
};

/** A command that can't take a database for granted: it opens what it needs by itself. */
type Alone = Declared & { readonly runAlone: (given: Given, terminal: Terminal) => Promise<Said> };

export type Command = InContext | Alone;

/** The command can't do what was asked, or names something that isn't there. The message is one line. Exit code 1. */
export class CommandProblem extends Error {
  override readonly name: string = "CommandProblem";
}

/** The command was typed wrongly. Exit code 2. */
export class UsageProblem extends CommandProblem {
  override readonly name = "UsageProblem";
}

export function optionOf(given: Given, name: string): string {
  const value = given.options[name];
  if (value === undefined) throw new UsageProblem(`--${name} is missing; see --help`);
  return value;
}

export function choiceOf<const Value extends string>(
  given: Given,
  name: string,
  among: readonly Value[],
): Value {
  const value = optionOf(given, name);
  const choice = among.find((one) => one === value);
  if (choice === undefined) throw new UsageProblem(`--${name} must be one of: ${among.join(", ")}`);
  return choice;
}

/** A whole number within limits. */
export function numberOf(given: Given, name: string, [min, max]: readonly [number, number]): number {
  const text = optionOf(given, name);
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageProblem(`--${name} must be a whole number from ${min} to ${max}`);
}
