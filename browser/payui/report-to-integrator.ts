import type { ResultCode } from "../protocol/client-events.ts";

/** Writes to the console, where an integrator looks first. Never writes the token. */
export function reportToIntegrator(sentence: string, code?: ResultCode): void {
  const suffix = code === undefined ? "" : ` [${code.id} ${code.message}]`;
  // biome-ignore lint/suspicious/noConsole: the loader writes to the console in this file only
  console.error(`SVC.PayUI: ${sentence}${suffix}`);
}

/** For what the checkout can do without. */
export function warnIntegrator(sentence: string): void {
  // biome-ignore lint/suspicious/noConsole: the loader writes to the console in this file only
  console.warn(`SVC.PayUI: ${sentence}`);
}
