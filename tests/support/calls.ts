import { createHash } from "node:crypto";

export const TEST_KEY = "test_key_of_the_sandbox_merchant";
export const TEST_VAULT_KEY = createHash("sha256").update("the vault key of all tests").digest("base64");

/** An API answer with its body read. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  readonly body: any;
};

export type Call = {
  readonly method?: string;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string or bytes are sent as they are. */
  readonly body?: unknown;
};

export type Calls = {
  readonly call: (path: string, call?: Call) => Promise<Answer>;
  readonly get: (path: string, call?: Call) => Promise<Answer>;
  readonly post: (path: string, body?: unknown, call?: Call) => Promise<Answer>;
  readonly put: (path: string, body?: unknown, call?: Call) => Promise<Answer>;
};

/** Real HTTP to a gateway, with the key of the sandbox merchant by default. */
export function callsTo(baseUrl: string): Calls {
  const origin = baseUrl.replace("localhost", "127.0.0.1");
  const call = async (path: string, { method = "GET", key = TEST_KEY, headers = {}, body }: Call = {}) => {
    const response = await fetch(origin + path, {
      method,
      redirect: "manual",
      headers: {
        ...(key === null ? {} : { "x-api-key": key }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: bytesOf(body) }),
    });
    const text = await response.text();
    const json = response.headers.get("content-type")?.startsWith("application/json") === true;
    const read = json && text !== "" ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body: read };
  };
  return {
    call,
    get: (path, extra) => call(path, { ...extra, method: "GET" }),
    post: (path, body, extra) => call(path, { ...extra, method: "POST", body }),
    put: (path, body, extra) => call(path, { ...extra, method: "PUT", body }),
  };
}

function bytesOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}
