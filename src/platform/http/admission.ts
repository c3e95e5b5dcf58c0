import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Refusal } from "../../kernel/refusal.ts";
import type { Log } from "../log/log.ts";
import { type BankWaits, countingBankWaits } from "./bank-waits.ts";
import { errorAnswer } from "./error-answer.ts";
import { requestIdOf } from "./request-headers.ts";
import { securityHeaders } from "./security-headers.ts";

/** Why a request matters while there are too many: money first, then what leads to it, then what only reads. */
export type Urgency = "always" | "money" | "create" | "list";

/** The share of the limit from which on requests of that urgency are refused. */
const SHARES: Readonly<Record<Exclude<Urgency, "always">, number>> = { money: 1, create: 0.75, list: 0.5 };

/** A body that is not here after this time costs nothing but its connection, so it does not count. */
const SLOW_BODY_MS = 1_000;

/** The ids of refused requests are logged together: a line for each took 7 µs more, and a refusal takes about 50. */
const LOGGED_EVERY_MS = 1_000;
const IDS_IN_A_LINE = 100;
const RETRY_AFTER_SECONDS = 1;

export type AdmissionParts = {
  readonly baseUrl: string;
  /** Requests that the process works on at once. */
  readonly limit: number;
  readonly log: Log;
  /** Called for every refused request. */
  readonly onRefused: (urgency: Urgency) => void;
};

export type Admission = {
  /** The handler, behind the limit. `urgencyOf` reads the request line alone; `isPublicHttps`: by the server's URL. */
  readonly guard: (
    handler: RequestListener,
    urgencyOf: (request: IncomingMessage) => Urgency,
    isPublicHttps: boolean,
  ) => RequestListener;
  /** Runs the work of an admitted request: while it waits for a bank, it does not count. */
  readonly enter: (response: ServerResponse, work: () => void) => void;
};

/** A request whose client is still there. What goes on for a client that has left is in here no more. */
type Admitted = { readonly request: IncomingMessage; readonly at: number; readonly waits: BankWaits };

/**
 * Keeps the process within what it can do: past the limit it answers 503 with Retry-After, before anything is read,
 * checked or written, and as cheaply as an answer can be. What is admitted is finished. One for all servers of a process.
 */
export function createAdmission({ baseUrl, limit, log, onRefused }: AdmissionParts): Admission {
  const admitted = new Map<ServerResponse, Admitted>();
  const body = Buffer.from(
    JSON.stringify(errorAnswer(new Refusal([{ code: "system_unavailable" }]), undefined, baseUrl).body),
  );
  const headersOf = (https: boolean) =>
    Object.entries({
      ...securityHeaders(https),
      "Retry-After": String(RETRY_AFTER_SECONDS),
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": String(body.length),
    }).flat();
  // Made once: a refusal has to cost as little as possible.
  const [plain, overTls] = [headersOf(false), headersOf(true)];
  let refused: string[] = [];
  let reporting: NodeJS.Timeout | undefined;

  function inWork(): number {
    const slow = performance.now() - SLOW_BODY_MS;
    let count = 0;
    for (const { request, at, waits } of admitted.values())
      if (waits.banks === 0 && (request.complete || at > slow)) count += 1;
    return count;
  }

  /** Counted exactly only when it matters. */
  function isFull(urgency: Urgency): boolean {
    if (urgency === "always") return false;
    const most = Math.max(1, Math.floor(limit * SHARES[urgency]));
    return admitted.size >= most && inWork() >= most;
  }

  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    urgency: Urgency,
    isPublicHttps: boolean,
  ): void {
    const fixed = isPublicHttps || "encrypted" in request.socket ? overTls : plain;
    const requestId = requestIdOf(request);
    response.writeHead(503, [...fixed, "X-Request-Id", requestId]);
    response.end(body);
    onRefused(urgency);
    refused.push(requestId);
    reporting ??= setTimeout(report, LOGGED_EVERY_MS).unref();
    if (refused.length === IDS_IN_A_LINE) report();
  }

  function report(): void {
    clearTimeout(reporting);
    reporting = undefined;
    log.warn({ count: refused.length, requestIds: refused }, "overloaded: requests refused with 503");
    refused = [];
  }

  return {
    guard: (handler, urgencyOf, isPublicHttps) => (request, response) => {
      const urgency = urgencyOf(request);
      if (isFull(urgency)) return refuse(request, response, urgency, isPublicHttps);
      admitted.set(response, { request, at: performance.now(), waits: { banks: 0 } });
      response.once("close", () => admitted.delete(response));
      return handler(request, response);
    },
    enter: (response, work) => {
      const waits = admitted.get(response)?.waits;
      if (waits === undefined) work();
      else countingBankWaits(waits, work);
    },
  };
}
