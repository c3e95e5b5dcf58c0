import type { Context } from "../platform/context.ts";
import type { Terminal } from "./terminal.ts";

/** An option of a command, with its text for `--help`. Without a value it is a flag. */
export type Option = {
  readonly value?: string;
  readonly about: string;
  readonly required?: boolean;
  readonly default?: string;
  /** The option can be given several times. */
  readonly many?: true;
  /** What contradicts the option, as the operator types it: `--batch`, or `<eventId>` for the positional argument. */
  readonly notWith?: readonly string[];
};

export type ParsedArguments = {
  readonly options: Readonly<Record<string, string | undefined>>;
  /** The values of options that can be given several times. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly flags: ReadonlySet<string>;
  readonly positionals: readonly string[];
};

/** A command's output: an object for `--json`, and lines for people. */
export type CommandOutput = {
  /** Undefined: the command printed everything while it ran. */
  readonly json: unknown;
  readonly lines: readonly string[];
  /** What the operator must not miss; goes to standard error. */
  readonly warnings?: readonly string[];
  /** The command ran and something is wrong: exit code 1. */
  readonly failed?: boolean;
  /** What ended the command early: reported after the output, which says what was done until then. Exit code 1. */
  readonly problem?: unknown;
};

/** What help and the reading of a command line need. Loaded without the command's code. */
export type Declaration = {
  /** As the operator types it, such as `key revoke`. */
  readonly name: string;
  readonly about: string;
  /** The name of the positional argument, such as `keyId`. */
  readonly positional?: string;
  /** The positional argument may be omitted. */
  readonly positionalOptional?: true;
  /** Several positional arguments may follow one another. */
  readonly positionalMany?: true;
  readonly options: Readonly<Record<string, Option>>;
  /** What follows `tidegate` on a useful command line; at least one. */
  readonly examples: readonly [string, ...string[]];
  /** It only reads, so its use is not recorded. */
  readonly reads?: true;
};

/** A command with the gateway's context: `main` opens and migrates the database for it. */
type ContextCommand = Declaration & {
  readonly run: (ctx: Context, args: ParsedArguments, terminal: Terminal) => Promise<CommandOutput>;
};

/** A command without a context: it must work without a database, or opens what it needs. */
type StandaloneCommand = Declaration & {
  readonly runAlone: (args: ParsedArguments, terminal: Terminal) => Promise<CommandOutput>;
};

export type Command = ContextCommand | StandaloneCommand;

/** The command can't do its work, or an argument names something that doesn't exist. The message is one line. Exit code 1. */
export class CommandProblem extends Error {
  override readonly name: string = "CommandProblem";
}

/** The command line is wrong. Exit code 2. */
export class UsageProblem extends CommandProblem {
  override readonly name = "UsageProblem";
}

/** The operator pressed Ctrl-C, or nothing reads the output any more. */
export const INTERRUPTED = "interrupted before the end";

export function optionOf(args: ParsedArguments, name: string): string {
  const value = args.options[name];
  if (value === undefined) throw new UsageProblem(`--${name} is missing; see --help`);
  return value;
}

export function choiceOf<const Value extends string>(
  args: ParsedArguments,
  name: string,
  among: readonly Value[],
): Value {
  const value = optionOf(args, name);
  const choice = among.find((one) => one === value);
  if (choice === undefined) throw new UsageProblem(`--${name} must be one of: ${among.join(", ")}`);
  return choice;
}

/** A whole number within limits. */
export function numberOf(args: ParsedArguments, name: string, [min, max]: readonly [number, number]): number {
  const text = optionOf(args, name);
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageProblem(`--${name} must be a whole number from ${min} to ${max}`);
}
