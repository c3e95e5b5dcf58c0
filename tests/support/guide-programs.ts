import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** A program of a guide, and the output that the guide shows. */
export type GuideProgram = { readonly place: string; readonly code: string; readonly printed: string };

const BLOCK = /^```(js|text)\n([\s\S]*?)^```$/gm;

/** Every `js` block of a page, with the `text` block that follows it. */
export async function programsOf(path: string): Promise<readonly GuideProgram[]> {
  const text = await readFile(new URL(`../../${path}`, import.meta.url), "utf8");
  const programs: GuideProgram[] = [];
  for (const { 1: kind = "", 2: inside = "", index } of text.matchAll(BLOCK)) {
    const place = `${path}:${text.slice(0, index).split("\n").length}`;
    if (kind === "js") programs.push({ place, code: inside, printed: "" });
    else
      programs.push({
        ...(programs.pop() ?? assert.fail(`${place}: output without a program`)),
        printed: inside,
      });
  }
  return programs;
}

/** Compares the output with the guide: `…` stands for what differs each time. */
export function assertPrinted(printed: string, { place, printed: shown }: GuideProgram): void {
  const pattern = shown
    .trim()
    .split("…")
    .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("\\S+");
  assert.match(printed.trim(), new RegExp(`^${pattern}$`), place);
}

export type Running = {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number>;
};

export function runProgram(
  node: string,
  file: string,
  environment: Readonly<Record<string, string>>,
): Running {
  const child = spawn(node, [file], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 1)));
  return { child, output: () => output, ended };
}

/** The oldest Node that the package supports, if this machine has it; else the one that runs the test. */
export function oldestNode(): string {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const node = join(folder, "node");
    try {
      accessSync(node, constants.X_OK);
      if (execFileSync(node, ["--version"], { encoding: "utf8" }).startsWith("v20.")) return node;
    } catch {
      // Not in this folder.
    }
  }
  return process.execPath;
}
