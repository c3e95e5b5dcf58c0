import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

type Json = Readonly<Record<string, unknown>>;
type FakeKey = {
  readonly type: string;
  readonly derived: boolean;
  readonly versions: Buffer[];
  minDecryption: number;
};
type Reply = readonly [status: number, body: Json];

type Behaviour = "normal" | "sealed" | "silent" | "long-winded" | "broken storage" | number;

export type FakeTransit = {
  readonly url: string;
  /** Method and path of every call, with its status. */
  readonly calls: string[];
  /** Everything that was sent and answered, to search for what must not be there. */
  readonly traffic: string[];
  readonly makeKey: (name: string, type?: string, derived?: boolean) => void;
  /** As `transit/keys/:name/rotate` does. */
  readonly rotateKey: (name: string) => void;
  /** As `min_decryption_version` of `transit/keys/:name/config` does. */
  readonly retireOldVersions: (name: string) => void;
  /** A token that may do everything below `transit/`, or with these keys alone. */
  readonly makeToken: (keys?: readonly string[]) => string;
  readonly revokeTokens: () => void;
  readonly appRole: { readonly roleId: string; readonly secretId: string };
  /** What answers from now on: normal work, a sealed service, no answer at all, storage that can't be read, or that status. */
  readonly behave: (how: Behaviour) => void;
  readonly close: () => Promise<void>;
};

type Options = {
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly namespace?: string;
  readonly leaseSeconds?: number;
  /** As Vault 1.5 and 1.6 do: decrypting what was changed is an internal error. */
  readonly isOld?: boolean;
};

/**
 * The transit engine and the AppRole method of HashiCorp Vault and OpenBao, as their HTTP API documents them:
 * `/v1/transit/{encrypt,decrypt,rewrap,keys}/:name` and `/v1/auth/approle/login`, errors as `{ "errors": [] }`.
 */
export async function openFakeTransit(options: Options = {}): Promise<FakeTransit> {
  const keys = new Map<string, FakeKey>();
  const tokens = new Map<string, readonly string[] | undefined>();
  const calls: string[] = [];
  const traffic: string[] = [];
  const appRole = { roleId: randomBytes(8).toString("hex"), secretId: randomBytes(16).toString("hex") };
  let behaviour: Behaviour = "normal";

  function makeToken(allowed?: readonly string[]): string {
    const token = `hvs.${randomBytes(12).toString("hex")}`;
    tokens.set(token, allowed);
    return token;
  }

  function answer(method: string, path: string, headers: IncomingMessage["headers"], body: Json): Reply {
    if (behaviour === "sealed") return [503, { errors: ["Vault is sealed"] }];
    if (behaviour === "broken storage")
      return [
        500,
        { errors: ["1 error occurred:\n\t* decryption failed: cipher: message authentication failed\n\n"] },
      ];
    if (typeof behaviour === "number") return [behaviour, { errors: ["internal error"] }];
    if (options.namespace !== undefined && headers["x-vault-namespace"] !== options.namespace)
      return [403, { errors: ["permission denied"] }];
    if (path === "/v1/auth/approle/login") return signIn(body);
    const token = String(headers["x-vault-token"] ?? "");
    const [, verb = "", name = ""] = /^\/v1\/transit\/(\w+)\/([\w.-]+)$/.exec(path) ?? [];
    const allowed = tokens.get(token);
    if (!tokens.has(token) || (allowed !== undefined && !allowed.includes(name)))
      return [403, { errors: ["1 error occurred:\n\t* permission denied\n\n"] }];
    return transit(method, verb, name, body);
  }

  function signIn(body: Json): Reply {
    if (body["role_id"] !== appRole.roleId || body["secret_id"] !== appRole.secretId)
      return [400, { errors: ["invalid role or secret ID"] }];
    const auth = { client_token: makeToken(), lease_duration: options.leaseSeconds ?? 3600, renewable: true };
    return [200, { auth }];
  }

  function transit(method: string, verb: string, name: string, body: Json): Reply {
    const key = keys.get(name);
    if (method === "GET" && verb === "keys") {
      if (key === undefined) return [404, { errors: [] }];
      return [
        200,
        { data: { name, type: key.type, derived: key.derived, latest_version: key.versions.length } },
      ];
    }
    if (method !== "POST") return [405, { errors: ["unsupported operation"] }];
    if (key === undefined) return [400, { errors: ["encryption key not found"] }];
    if (verb === "encrypt") return encrypted(key, Buffer.from(String(body["plaintext"]), "base64"));
    const plain = decrypted(key, String(body["ciphertext"]));
    if (typeof plain === "string") {
      const isInternal = plain.startsWith("cipher:") && (verb === "rewrap" || options.isOld === true);
      return isInternal
        ? [500, { errors: [`1 error occurred:\n\t* ${plain}\n\n`] }]
        : [400, { errors: [plain] }];
    }
    if (verb === "decrypt") return [200, { data: { plaintext: plain.toString("base64") } }];
    return verb === "rewrap" ? encrypted(key, plain) : [404, { errors: [] }];
  }

  const listener = (request: IncomingMessage, response: import("node:http").ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (behaviour === "silent") return;
      if (behaviour === "long-winded") return void response.end(" ".repeat(65 * 1024));
      const text = Buffer.concat(chunks).toString();
      const path = request.url ?? "";
      const [status, body] = answer(
        request.method ?? "",
        path,
        request.headers,
        text === "" ? {} : JSON.parse(text),
      );
      calls.push(`${request.method} ${path} ${status}`);
      traffic.push(text, JSON.stringify(body));
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  };
  const server = options.tls === undefined ? createServer(listener) : createTlsServer(options.tls, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: options.tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    calls,
    traffic,
    makeKey: (name, type = "aes256-gcm96", derived = false) =>
      void keys.set(name, { type, derived, versions: [randomBytes(32)], minDecryption: 1 }),
    rotateKey: (name) => void keys.get(name)?.versions.push(randomBytes(32)),
    retireOldVersions: (name) => {
      const key = keys.get(name);
      if (key !== undefined) key.minDecryption = key.versions.length;
    },
    makeToken,
    revokeTokens: () => tokens.clear(),
    appRole,
    behave: (how) => {
      behaviour = how;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function encrypted(key: FakeKey, plain: Buffer): Reply {
  const version = key.versions.length;
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key.versions[version - 1] ?? Buffer.alloc(32), nonce);
  const bytes = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return [
    200,
    { data: { ciphertext: `vault:v${version}:${bytes.toString("base64")}`, key_version: version } },
  ];
}

/** The plain bytes, or the words of the service's error. */
function decrypted(key: FakeKey, ciphertext: string): Buffer | string {
  const [, version = "0", base64 = ""] = /^vault:v(\d+):([\w+/=]+)$/.exec(ciphertext) ?? [];
  const secret = key.versions[Number(version) - 1];
  if (secret === undefined) return "invalid ciphertext: no prefix";
  if (Number(version) < key.minDecryption)
    return "ciphertext or signature version is disallowed by policy (too old)";
  const bytes = Buffer.from(base64, "base64");
  try {
    const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
  } catch {
    return "cipher: message authentication failed";
  }
}
