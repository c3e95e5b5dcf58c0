import type { ResultCode } from "../protocol/client-events.ts";

/** A sentence for the console, and the code that the `initialise` event carries. */
export type ConfigProblem = { readonly sentence: string; readonly code: ResultCode };

/** Writes to the console, where an integrator looks first. Never writes the token. */
export function reportToIntegrator(sentence: string, code?: ResultCode): void {
  const suffix = code === undefined ? "" : ` [${code.id} ${code.message}]`;
  // biome-ignore lint/suspicious/noConsole: the only place where the loader writes to the console
  console.error(`SVC.PayUI: ${sentence}${suffix}`);
}
