import { readFile } from "node:fs/promises";
import { Agent, request } from "undici";
import { jsonIn } from "../../kernel/json.ts";
import type { Settings } from "../../platform/config/settings.ts";
import { SETTINGS } from "../../platform/config/settings.ts";
import type { Log } from "../../platform/log/log.ts";
import { KeyServiceProblem } from "../../platform/vault/errors.ts";

type TransitSettings = Pick<
  Settings,
  | "transitUrl"
  | "transitMount"
  | "transitNamespace"
  | "transitTokenFile"
  | "transitRoleIdFile"
  | "transitSecretIdFile"
  | "transitAppRoleMount"
  | "transitCaFile"
  | "transitTimeoutMs"
>;

export type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

export type KeyService = {
  /** As the operator knows it. */
  readonly url: string;
  /** Calls with a valid token. Throws `KeyServiceProblem` when there is no answer, or the service does not work. */
  readonly call: (method: "GET" | "POST", path: string, body?: object) => Promise<Answer>;
};

/** More of an answer is not read; those of the calls that we make have less than a kilobyte. */
const ANSWER_AT_MOST = 64 * 1024;

const LOGGED_EVERY_MS = 10_000;

type Token = { readonly text: string; readonly until: number };

/** A key service with the HTTP API of HashiCorp Vault and OpenBao. Connections are opened when they are needed. */
export function openKeyService(settings: TransitSettings, log: Pick<Log, "error">): KeyService {
  const url = new URL(settings.transitUrl ?? "").origin;
  let agent: Promise<Agent> | undefined;
  let token: Promise<Token> | undefined;

  function connections(): Promise<Agent> {
    const opening = agent ?? openAgent(settings);
    agent = opening;
    opening.catch(() => {
      if (agent === opening) agent = undefined;
    });
    return opening;
  }

  async function send(method: "GET" | "POST", path: string, more: { body?: object; token?: string }) {
    const dispatcher = await connections();
    try {
      const answer = await request(`${url}/v1/${path}`, {
        dispatcher,
        method,
        headers: {
          accept: "application/json",
          "x-vault-request": "true",
          ...(more.body && { "content-type": "application/json" }),
          ...(more.token && { "x-vault-token": more.token }),
          ...(settings.transitNamespace && { "x-vault-namespace": settings.transitNamespace }),
        },
        ...(more.body && { body: JSON.stringify(more.body) }),
        signal: AbortSignal.timeout(settings.transitTimeoutMs),
      });
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > ANSWER_AT_MOST) throw new Error("the answer is too long");
        chunks.push(chunk);
      }
      const body = jsonIn(Buffer.concat(chunks).toString("utf8"));
      return { status: answer.statusCode, body: isObject(body) ? body : {} };
    } catch (error) {
      throw new KeyServiceProblem(`the key service at ${url} does not answer (${reasonOf(error)})`);
    }
  }

  async function signIn(): Promise<Token> {
    const { transitTokenFile, transitRoleIdFile, transitSecretIdFile } = settings;
    if (transitTokenFile !== undefined) {
      return { text: await readSecret("transitTokenFile", transitTokenFile), until: Infinity };
    }
    const body = {
      role_id: await readSecret("transitRoleIdFile", transitRoleIdFile ?? ""),
      secret_id: await readSecret("transitSecretIdFile", transitSecretIdFile ?? ""),
    };
    const path = `auth/${settings.transitAppRoleMount ?? "approle"}/login`;
    const { status, body: answer } = await send("POST", path, { body });
    const auth = isObject(answer["auth"]) ? answer["auth"] : {};
    const text = auth["client_token"];
    if (status !== 200 || typeof text !== "string") {
      throw new KeyServiceProblem(
        `the key service at ${url} refuses to sign this node in (${status} at ${path}): check the role id, the secret id and its lifetime`,
      );
    }
    const seconds = Number(auth["lease_duration"]);
    // Signed in again before the token ends; 0 is a token that does not end.
    const lifetime = seconds > 0 ? seconds * 800 : Infinity;
    return { text, until: performance.now() + lifetime };
  }

  async function currentToken(): Promise<Token> {
    const known = await token?.catch(() => undefined);
    if (known !== undefined && known.until > performance.now()) return known;
    const signing = signIn();
    token = signing;
    return signing;
  }

  async function call(method: "GET" | "POST", path: string, body?: object): Promise<Answer> {
    const used = await currentToken();
    const more = { ...(body && { body }) };
    let answer = await send(method, path, { ...more, token: used.text });
    if (answer.status === 403) {
      // The token may have ended, or an agent has renewed it.
      token = undefined;
      answer = await send(method, path, { ...more, token: (await currentToken()).text });
    }
    if (answer.status === 403) {
      throw new KeyServiceProblem(
        `the key service at ${url} refuses ${path} to this node's token: check that the token is valid and that its policy allows that path`,
      );
    }
    if (answer.status === 503 || answer.status === 472 || answer.status === 473) {
      throw new KeyServiceProblem(
        `the key service at ${url} is sealed or a standby (${answer.status}): unseal it, or name the active node`,
      );
    }
    if (answer.status === 429 || answer.status >= 500) {
      throw new KeyServiceProblem(`the key service at ${url} does not work (${answer.status}): read its log`);
    }
    return answer;
  }

  let loggedAt = -Infinity;
  return {
    url,
    call: (method, path, body) =>
      call(method, path, body).catch((error: unknown) => {
        // Every payment may meet the same problem; one line in ten seconds names it.
        if (error instanceof KeyServiceProblem && performance.now() - loggedAt > LOGGED_EVERY_MS) {
          loggedAt = performance.now();
          log.error({}, `stored numbers can't be used: ${error.message}`);
        }
        throw error;
      }),
  };
}

async function openAgent({ transitCaFile, transitTimeoutMs }: TransitSettings): Promise<Agent> {
  const ca = transitCaFile === undefined ? undefined : await readSecret("transitCaFile", transitCaFile);
  return new Agent({
    connect: { timeout: transitTimeoutMs, ...(ca !== undefined && { ca }) },
    allowH2: false,
  });
}

type FileSetting = "transitTokenFile" | "transitRoleIdFile" | "transitSecretIdFile" | "transitCaFile";

async function readSecret(name: FileSetting, path: string): Promise<string> {
  const { variable } = SETTINGS[name];
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new KeyServiceProblem(
      `${variable} can't be read (${(error as NodeJS.ErrnoException).code}); check path and rights`,
    );
  });
  if (text.trim() === "") throw new KeyServiceProblem(`${variable} names an empty file`);
  return text.trim();
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The code alone: the message of an error can quote what was sent. */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(cause instanceof Error)) return "error";
  if (cause.name === "TimeoutError") return "no answer in time";
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message.slice(0, 80);
}
