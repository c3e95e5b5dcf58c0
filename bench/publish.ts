import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import type { Finding, Question } from "./question.ts";
import { ROOT } from "./stage/program.ts";

const FILE = join(ROOT, "docs", "generated", "bench.md");

const README = join(ROOT, "README.md");

const HEAD = `# Measurements

Written by \`npm run bench\`, one section per question, each with its command. Ratios of one run depend little on the machine;
absolute numbers do. The load generator runs on the same machine.
`;

/** Puts the finding into its section of docs/generated/bench.md; the other sections stay. */
export async function publish(
  { name, description }: Question,
  { lines, summary = [] }: Finding,
  options: readonly string[],
): Promise<void> {
  const before = await readFile(FILE, "utf8").catch(() => HEAD);
  const [head = HEAD, ...sections] = before.split(/^(?=## )/m);
  const server =
    process.env["TIDEGATE_BENCH_DATABASE_URL"] === undefined ? [] : ["TIDEGATE_BENCH_DATABASE_URL=…"];
  const command = [...server, "npm run bench --", name, ...options.filter((one) => one !== name)].join(" ");
  const today = new Date().toISOString().slice(0, 10);
  const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
  const section = [
    `## ${name}`,
    "",
    `${description[0]?.toUpperCase()}${description.slice(1)}.`,
    "",
    `\`${command}\`, ${today}, ${machine}`,
    "",
    "```text",
    ...lines,
    "```",
    "",
  ].join("\n");
  const others = sections.filter((one) => !one.startsWith(`## ${name}\n`)).map((one) => `${one.trimEnd()}\n`);
  const all = [...others, section].sort();
  await writeFile(FILE, [`${head.trimEnd()}\n`, ...all].join("\n"));
  if (summary.length > 0)
    await showInReadme(name, [...summary, "", `Measured by \`${command}\` on ${today} (${machine}).`]);
}

/** Replaces what stands between the question's two marks in the README. */
async function showInReadme(name: string, lines: readonly string[]): Promise<void> {
  const before = await readFile(README, "utf8");
  const [begin, end] = [`<!-- measured: ${name} -->\n`, `<!-- end of measured: ${name} -->`];
  const [head, rest] = before.split(begin);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) throw new Error(`the README has no place for ${name}`);
  await writeFile(README, `${head}${begin}\n${lines.join("\n")}\n\n${end}${tail}`);
}
