import type { Command } from "./command.ts";

/** What `tidegate --help` prints. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => usage(command).length));
  const rows = commands.map((command) => `  ${usage(command).padEnd(width)}   ${command.about}`);
  return [
    "tidegate: commands for the operator of a gateway. They work beside a running gateway, on the same settings.",
    "",
    ...rows,
    "",
    "Every command takes --json (for programs) and --help.",
  ].join("\n");
}

/** What `tidegate <command> --help` prints. */
export function explain(command: Command): string {
  const rows = Object.entries(command.options).map(([name, option]) => {
    if (option.value === undefined) return `  --${name}   ${option.about}`;
    const standard = option.standard === undefined ? "optional" : `default ${option.standard}`;
    const rule = option.required === true ? "required" : standard;
    return `  --${name} <${option.value}>   ${option.about} (${rule})`;
  });
  return [
    `tidegate ${usage(command)}`,
    "",
    command.about,
    "",
    ...rows,
    "  --json   Print JSON for programs.",
  ].join("\n");
}

function usage(command: Command): string {
  return command.positional === undefined ? command.words : `${command.words} <${command.positional}>`;
}
