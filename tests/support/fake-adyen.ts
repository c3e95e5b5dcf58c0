import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isAuthentication, shapeProblems } from "./adyen-shapes.ts";
import { type FakeAnswer, inProgress, type Json, rejected } from "./fake-adyen-answers.ts";
import { createFakeLedger, type FakeAdyenLedger } from "./fake-adyen-ledger.ts";
import { type FakeItem, signedNotification } from "./fake-adyen-notification.ts";
import { createFakeThreeDSecure, type FakeThreeDSecure } from "./fake-adyen-three-d-secure.ts";

export type RecordedCall = {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Json;
  /** The port that the call came from. */
  readonly from: number | undefined;
};

/** What goes wrong with one call. `after`: the fake has processed it. */
export type Fault =
  | { readonly does: "drop"; readonly after: boolean }
  | { readonly does: "hang"; readonly after: boolean }
  | { readonly does: "delay"; readonly milliseconds: number }
  | { readonly does: "say"; readonly text: string; readonly status?: number }
  | {
      readonly does: "answer";
      readonly status: number;
      readonly body?: Json;
      readonly headers?: Readonly<Record<string, string>>;
    };

export type FakeAdyen = {
  /** Of the acquirer account that reaches this fake. */
  readonly settings: {
    readonly apiKey: string;
    readonly merchantAccount: string;
    readonly endpoint: string;
    readonly webhookHmacKey: string;
  };
  readonly calls: readonly RecordedCall[];
  /** What the calls were answered with, where no fault changed it. */
  readonly answers: readonly (FakeAnswer & { readonly path: string })[];
  /** The next call whose path ends with this goes wrong. */
  readonly fault: (path: string, fault: Fault) => void;
  /** Faults that have not come up will not. */
  readonly clearFaults: () => void;
  /** Takes the notifications that wait, in the order in which they came up. */
  readonly takeNotifications: () => readonly string[];
  readonly notification: (item: FakeItem) => string;
  /** The outcome of a payment that was answered with `Received` or `Pending`. */
  readonly conclude: FakeAdyenLedger["conclude"];
  /** A scheme takes back a capture or a refund that was accepted. */
  readonly fail: FakeAdyenLedger["fail"];
  readonly answerChallenge: FakeThreeDSecure["answer"];
  readonly ledgerOf: FakeAdyenLedger["of"];
  readonly close: () => Promise<void>;
};

/** Adyen's Checkout API on a loopback port, with a ledger of its own. It sends nothing: tests take its notifications. */
export async function openFakeAdyen(): Promise<FakeAdyen> {
  const calls: RecordedCall[] = [];
  const answers: (FakeAnswer & { path: string })[] = [];
  const faults: { path: string; fault: Fault }[] = [];
  const waiting: string[] = [];
  const byKey = new Map<string, FakeAnswer | "in progress">();
  const account = {
    apiKey: `AQE_${randomBytes(24).toString("base64url")}`,
    merchantAccount: "TidegateTest_ECOM",
    webhookHmacKey: randomBytes(32).toString("hex"),
  };
  const notification = (item: FakeItem) => signedNotification(item, account);
  const ledger = createFakeLedger(account.merchantAccount, (item) => void waiting.push(notification(item)));

  const threeDSecure = createFakeThreeDSecure();

  function process(path: string, body: Json): FakeAnswer {
    const [problem] = shapeProblems(path, body);
    if (problem !== undefined) return rejected(422, "702", problem);
    if (path === "/payments/details") return threeDSecure.details(body);
    if (body["merchantAccount"] !== account.merchantAccount)
      return rejected(403, "901", "Invalid Merchant Account");
    if (path === "/paymentMethods") return { status: 200, body: { paymentMethods: [{ type: "scheme" }] } };
    if (isAuthentication(body)) return threeDSecure.begin(body);
    if (path === "/payments") return ledger.pay(body);
    if (path === "/cancels") return ledger.cancelByReference(body);
    const [, psp = "", kind = ""] = /^\/payments\/([^/]+)\/([a-z]+)$/.exec(path) ?? [];
    return ledger.operate(psp, kind, body);
  }

  /** The same key is answered in the same way; of two at once, one is processed. */
  function answer({ path, headers, body }: RecordedCall): FakeAnswer {
    if (headers["x-api-key"] !== account.apiKey)
      return rejected(401, "000", "HTTP Status Response - Unauthorized");
    const key = headers["idempotency-key"];
    if (typeof key !== "string" || key.length > 64) return rejected(422, "702", "no Idempotency-Key");
    const earlier = byKey.get(key);
    if (earlier === "in progress") return inProgress();
    if (earlier !== undefined) return earlier;
    const processed = process(path, body);
    byKey.set(key, processed);
    answers.push({ path, ...processed });
    return processed;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").replace(/^\/v71/, "");
    const body = JSON.parse(await textOf(request)) as Json;
    const call: RecordedCall = { path, headers: request.headers, body, from: request.socket.remotePort };
    calls.push(call);
    const planned = faults.findIndex((one) => path.endsWith(one.path));
    const fault = planned === -1 ? undefined : faults.splice(planned, 1)[0]?.fault;
    switch (fault?.does) {
      case "answer":
        return send(response, { body: {}, ...fault });
      case "say":
        return void response.writeHead(fault.status ?? 200, { "content-type": "text/html" }).end(fault.text);
      case "drop":
      case "hang":
        if (fault.after) answer(call);
        return fault.does === "drop" ? void request.socket.destroy() : undefined;
      case "delay": {
        const key = String(request.headers["idempotency-key"]);
        byKey.set(key, "in progress");
        await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
        byKey.delete(key);
        return send(response, answer(call));
      }
      default:
        return send(response, answer(call));
    }
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    settings: { ...account, endpoint: `http://127.0.0.1:${port}/v71` },
    calls,
    answers,
    fault: (path, fault) => void faults.push({ path, fault }),
    clearFaults: () => void faults.splice(0),
    takeNotifications: () => waiting.splice(0),
    notification,
    conclude: ledger.conclude,
    fail: ledger.fail,
    answerChallenge: threeDSecure.answer,
    ledgerOf: ledger.of,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, { status, body, headers }: FakeAnswer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}
