import { readFile } from "node:fs/promises";
import { BankFileProblem } from "../../features/direct-debits/index.ts";
import { CommandProblem, UsageProblem } from "../command.ts";

export const LIVE_MERCHANT = { value: "id", about: "A live merchant's id.", required: true } as const;

export const LIVE_ONLY = "bank files are for live merchants; the sandbox simulates its bank";

export async function readText(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch(() => fail(`${path} can't be read`));
  // Some programs write a byte order mark before the first character.
  return text.replace(/^\uFEFF/, "");
}

/** Reports a problem of a bank file in one line. */
export async function reportingFileProblems<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BankFileProblem ? new CommandProblem(error.message) : error;
  }
}

/** The command line is wrong. */
export function misuse(problem: string): never {
  throw new UsageProblem(problem);
}

export function fail(problem: string): never {
  throw new CommandProblem(problem);
}
