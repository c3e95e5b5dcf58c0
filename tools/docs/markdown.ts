/** A generated page: its title, its source, and its parts. */
export function page(title: string, source: string, parts: readonly string[]): string {
  return `${[`# ${title}`, `Made from ${source} by \`npm run docs\`; change it there.`, ...parts].join("\n\n")}\n`;
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map(cell).join(" | ")} |`)
    .join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
