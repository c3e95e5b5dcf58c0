import type { Declaration } from "./command.ts";

/** The text of `tidegate --help`, and of `tidegate key --help` for the commands of a group. */
export function overview(commands: readonly Declaration[]): string {
  const width = Math.max(...commands.map((command) => usage(command).length));
  const rows = commands.map(
    (command) => `  ${usage(command).padEnd(width)}   ${firstSentence(command.about)}`,
  );
  return [
    "tidegate: commands for the operator of a gateway. They work while a gateway runs, with the same settings.",
    "",
    ...rows,
    "",
    "Every command takes --json (for programs) and --help (with examples). `tidegate --version` prints the version.",
    "Exit codes: 0 success, 1 failure or something is wrong, 2 wrong usage.",
  ].join("\n");
}

/** The text of `tidegate <command> --help`. */
export function explain(command: Declaration): string {
  const names = Object.entries(command.options).map(([name, option]) => ({
    name: option.value === undefined ? `--${name}` : `--${name} <${option.value}>${option.many ? "…" : ""}`,
    about: option.about,
    rule: ruleOf(option),
  }));
  const all = [...names, { name: "--json", about: "Print JSON for programs.", rule: "" }];
  const width = Math.max(...all.map(({ name }) => name.length));
  return [
    `tidegate ${usage(command)}`,
    "",
    command.about,
    "",
    ...all.map(({ name, about, rule }) => `  ${name.padEnd(width)}   ${about}${rule}`),
    "",
    command.examples.length === 1 ? "Example:" : "Examples:",
    ...command.examples.map((example) => `  tidegate ${example}`),
  ].join("\n");
}

function ruleOf(option: Declaration["options"][string]): string {
  const rules = (option.notWith ?? []).map((other) => `not with ${other}`);
  if (option.value !== undefined) rules.unshift(presenceOf(option));
  return rules.length === 0 ? "" : ` (${rules.join("; ")})`;
}

function presenceOf(option: Declaration["options"][string]): string {
  if (option.required === true) return "required";
  return option.default === undefined ? "optional" : `default ${option.default}`;
}

function usage({ name, positional, positionalOptional, positionalMany }: Declaration): string {
  if (positional === undefined) return name;
  if (positionalMany) return `${name} <${positional}>…`;
  return positionalOptional ? `${name} [${positional}]` : `${name} <${positional}>`;
}

function firstSentence(about: string): string {
  return /^.*?[.](?= |$)/.exec(about)?.[0] ?? about;
}
