import { readFile } from "node:fs/promises";
import { isObject, jsonIn } from "../../kernel/json.ts";
import type { Settings } from "../../platform/config/settings.ts";
import { SETTINGS } from "../../platform/config/settings.ts";
import { Agent, request } from "../../platform/egress/connections.ts";
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
export function openKeyService(
  settings: TransitSettings,
  log: Pick<Log, "error">,
  onProblem: () => void,
): KeyService {
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
      const answer = await request(dispatcher, {
        origin: url,
        path: `/v1/${path}`,
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
        if (size > ANSWER_AT_MOST)
          throw Object.assign(new Error("the answer is too long"), { code: "ANSWER_TOO_LONG" });
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
    const { status, body: answer } = working(await send("POST", path, { body }));
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

  /** One sign-in for all calls that need it at the same moment: each makes a lease in the service. */
  async function currentToken(refused?: Token): Promise<Token> {
    const found = token;
    const known = await found;
    if (known !== undefined && known !== refused && known.until > performance.now()) return known;
    if (token !== undefined && token !== found) return token;
    const signing = signIn();
    token = signing;
    signing.catch(() => {
      if (token === signing) token = undefined;
    });
    return signing;
  }

  async function call(method: "GET" | "POST", path: string, body?: object): Promise<Answer> {
    const used = await currentToken();
    const more = { ...(body && { body }) };
    let answer = await send(method, path, { ...more, token: used.text });
    if (answer.status === 403) {
      // The token may have ended, or an agent has renewed it.
      answer = await send(method, path, { ...more, token: (await currentToken(used)).text });
    }
    if (answer.status === 403) {
      throw new KeyServiceProblem(
        `the key service at ${url} refuses ${path} to this node's token: check that the token is valid and that its policy allows that path`,
      );
    }
    return working(answer);
  }

  /** The answer of a service that works, whether or not it does what it was asked to. */
  function working(answer: Answer): Answer {
    const { status } = answer;
    // A standby that can't forward redirects to the active node. A token is not sent to where an answer leads.
    if (status === 503 || status === 307 || status === 472 || status === 473) {
      throw new KeyServiceProblem(
        `the key service at ${url} is sealed or a standby (${status}): unseal it, or name the active node`,
      );
    }
    if ((status === 429 || status >= 500) && !isChangedCiphertext(answer)) {
      throw new KeyServiceProblem(`the key service at ${url} does not work (${status}): read its log`);
    }
    return answer;
  }

  let loggedAt = -Infinity;
  return {
    url,
    call: (method, path, body) =>
      call(method, path, body).catch((error: unknown) => {
        if (!(error instanceof KeyServiceProblem)) throw error;
        onProblem();
        // Every payment may meet the same problem; one line in ten seconds names it.
        if (performance.now() - loggedAt > LOGGED_EVERY_MS) {
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

/**
 * Vault 1.5 and 1.6 answer 500 to a ciphertext that was changed, and so does every `rewrap`
 * (https://github.com/hashicorp/vault/issues/10842). The service's own storage fails with more words.
 */
function isChangedCiphertext(answer: Answer): boolean {
  return (
    answer.status === 500 &&
    /^(?:1 error occurred:\s*\*)?\s*cipher: message authentication failed\s*$/.test(errorsOf(answer))
  );
}

export function errorsOf({ body }: Answer): string {
  return Array.isArray(body["errors"])
    ? body["errors"].filter((one) => typeof one === "string").join(" ")
    : "";
}

/** The code alone: the message of an error can quote what was sent. */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(cause instanceof Error)) return "error";
  if (cause.name === "TimeoutError") return "no answer in time";
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.name;
}
