import type { ResultCode } from "../protocol/client-events.ts";

/** Something to mend: a sentence for the console, and the code that the `initialise` event carries. */
export type Mistake = { readonly sentence: string; readonly code: ResultCode };

/** The console is where an integrator looks first. It never gets the token. */
export function reportToIntegrator(sentence: string, code?: ResultCode): void {
  const suffix = code === undefined ? "" : ` [${code.id} ${code.message}]`;
  // biome-ignore lint/suspicious/noConsole: this is the one place where the loader speaks to the integrator
  console.error(`SVC.PayUI: ${sentence}${suffix}`);
}
