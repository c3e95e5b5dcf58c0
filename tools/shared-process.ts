import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

/** Each program begins with it. The first test runs when all files of the program have loaded. */
const PREPARE: readonly string[] = [
  `import { endTracking } from ${JSON.stringify(import.meta.resolve("./end-tracking.ts"))};\n`,
  `const { beforeEach, describe } = await import("node:test");\n`,
  `beforeEach(endTracking);\n`,
];

/** Writes a program that runs these test files, each a suite that ends after this time if it hangs. */
export async function writeProgram(
  program: string,
  files: readonly string[],
  timeoutMs: number,
): Promise<void> {
  const suites = files.map((file) => {
    const url = JSON.stringify(pathToFileURL(file).href);
    return `describe(${JSON.stringify(file)}, { timeout: ${timeoutMs} }, () => import(${url}));\n`;
  });
  await writeFile(program, [...PREPARE, ...suites].join(""));
}
