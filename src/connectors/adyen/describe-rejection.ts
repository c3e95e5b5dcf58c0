import type { Exchange } from "./exchange.ts";
import { codeOf, textOf } from "./read-json.ts";

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
  const error = body && codeOf(body, "errorCode");
  const message = body && textOf(body, "message");
  return [
    `status ${status}`,
    ...(error === undefined ? [] : [`error ${error}`]),
    ...(message === undefined ? [] : [withoutSecrets(message, secrets)]),
  ].join(", ");
}

/** Adyen may quote what it was sent. Digits go as well: a message makes sense without them. */
function withoutSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  const plain = secrets.reduce<string>(
    (rest, secret) => (secret ? rest.replaceAll(secret, "…") : rest),
    text,
  );
  return plain.replace(/\d{3,}/g, "…").slice(0, LONGEST_MESSAGE);
}
