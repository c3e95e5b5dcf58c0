import type { Exchange } from "./exchange.ts";
import { textOf } from "./read-json.ts";

const LONGEST_MESSAGE = 160;

/** A sentence for the log about a call that Adyen did not process, or undefined. It contains no secret. */
export function describeRejection(
  exchange: Exchange,
  secrets: readonly (string | undefined)[],
): string | undefined {
  if (exchange.outcome === "unreached") return `could not connect (${exchange.reason})`;
  if (exchange.outcome === "lost") return `the answer was lost (${exchange.reason})`;
  const { status, body } = exchange;
  if (status === 200 || status === 201) return body === undefined ? "the answer is unreadable" : undefined;
  const error = body && textOf(body, "errorCode");
  const message = body && textOf(body, "message");
  const reason = message === undefined ? "" : `: ${withoutSecrets(message, secrets)}`;
  return `status ${status}${error === undefined ? "" : `, error ${withoutSecrets(error, secrets)}`}${reason}`;
}

/** Adyen may quote what it was sent. Longer runs of digits go as well, whatever separates them. */
function withoutSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  const known = secrets.filter((secret) => secret !== undefined && secret !== "");
  const plain = known.reduce<string>((rest, secret) => rest.replaceAll(secret ?? "", "…"), text);
  return plain.replace(/\d(?:[ .-]?\d){6,}/g, "…").slice(0, LONGEST_MESSAGE);
}
