import { createHash } from "node:crypto";
import { isObject } from "../../kernel/json.ts";
import { sameBytes } from "../../platform/crypto/secrets.ts";
import { KeyServiceProblem } from "../../platform/vault/errors.ts";
import type { KeyWrapper } from "../ports/key-wrapper.ts";
import { type Answer, errorsOf, type KeyService } from "./call-transit.ts";

/** Kinds of keys that detect a change of what they encrypted. An RSA key does not: who knows its public part can encrypt. */
const AUTHENTICATED: readonly unknown[] = ["aes256-gcm96", "chacha20-poly1305"];

/** A key that wraps must not be weaker than what it wraps (PCI DSS 3.6.1). */
const WEAK: readonly unknown[] = ["aes128-gcm96"];

const CONTEXT_BYTES = 32;

/**
 * Wraps with a key of the transit engine, which never leaves the key service. The context is part of what is encrypted, as
 * a hash in front of the key: the service's `rewrap` takes no associated data, so it could not renew a key that is bound by
 * them (https://github.com/hashicorp/vault/issues/29532).
 */
export function createTransitKeyWrapper(service: KeyService, mount: string, name: string): KeyWrapper {
  const id = `transit:${mount}/${name}`;

  async function post(verb: "encrypt" | "decrypt" | "rewrap", body: object): Promise<Answer> {
    const answer = await service.call("POST", `${mount}/${verb}/${name}`, body);
    if (answer.status === 404 || /key not found/i.test(errorsOf(answer))) throw missing();
    return answer;
  }

  function missing(): KeyServiceProblem {
    return new KeyServiceProblem(
      `the key service at ${service.url} has no transit key ${name} at ${mount}: create it, or correct TIDEGATE_TRANSIT_KEY and TIDEGATE_TRANSIT_MOUNT`,
    );
  }

  function unexpected(verb: string, { status }: Answer): KeyServiceProblem {
    return new KeyServiceProblem(
      `the key service at ${service.url} answers ${status} to ${mount}/${verb}/${name}: check that the key allows it`,
    );
  }

  return {
    masterIds: async () => {
      const answer = await service.call("GET", `${mount}/keys/${name}`);
      if (answer.status === 404) throw missing();
      if (answer.status !== 200) throw unexpected("keys", answer);
      const { type, derived } = dataOf(answer);
      if (derived === true)
        throw new KeyServiceProblem(
          `the transit key ${name} derives keys from a context, which the gateway does not send: create one without \`derived\``,
        );
      if (AUTHENTICATED.includes(type)) return [id];
      const lack = WEAK.includes(type) ? "is weaker than the keys that it wraps" : "does not detect changes";
      throw new KeyServiceProblem(
        `the transit key ${name} is of the type ${String(type)}, which ${lack}: create one of the type aes256-gcm96`,
      );
    },
    wrap: async (masterId, key, context) => {
      if (masterId !== id) throw new Error("the master key that wraps is not at hand");
      const plaintext = Buffer.concat([bound(context), key]);
      const answer = await post("encrypt", { plaintext: plaintext.toString("base64") });
      plaintext.fill(0);
      return ciphertextIn(answer) ?? fail(unexpected("encrypt", answer));
    },
    unwrap: async (masterId, wrapped, context) => {
      if (masterId !== id) return undefined;
      const answer = await post("decrypt", { ciphertext: Buffer.from(wrapped).toString("utf8") });
      const isRefused = answer.status === 400 || answer.status === 500;
      if (isRefused && /authentication failed|ciphertext|version/i.test(errorsOf(answer))) return undefined;
      const { plaintext } = dataOf(answer);
      if (answer.status !== 200 || typeof plaintext !== "string") throw unexpected("decrypt", answer);
      const bytes = Buffer.from(plaintext, "base64");
      const key = bytes.subarray(CONTEXT_BYTES);
      return sameBytes(bytes.subarray(0, CONTEXT_BYTES), bound(context)) ? key : undefined;
    },
    rewrap: async (masterId, wrapped) => {
      if (masterId !== id) return undefined;
      const ciphertext = Buffer.from(wrapped).toString("utf8");
      const answer = await post("rewrap", { ciphertext });
      const renewed = ciphertextIn(answer) ?? fail(unexpected("rewrap", answer));
      return versionOf(renewed) === versionOf(wrapped) ? undefined : renewed;
    },
  };
}

function bound(context: string): Buffer {
  return createHash("sha256").update(context).digest();
}

/** `vault:v3:…` was encrypted by the third version of the key. */
function versionOf(wrapped: Uint8Array): string | undefined {
  return /^[a-z]+:v\d+:/.exec(Buffer.from(wrapped).toString("utf8"))?.[0];
}

function ciphertextIn(answer: Answer): Buffer | undefined {
  const { ciphertext } = dataOf(answer);
  return answer.status === 200 && typeof ciphertext === "string"
    ? Buffer.from(ciphertext, "utf8")
    : undefined;
}

function dataOf({ body }: Answer): Readonly<Record<string, unknown>> {
  return isObject(body["data"]) ? body["data"] : {};
}

function fail(error: Error): never {
  throw error;
}
