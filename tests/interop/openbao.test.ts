import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { KeyWrapper } from "../../src/connectors/ports/key-wrapper.ts";
import { openTransit } from "../../src/connectors/transit/transit.ts";
import { readSettings } from "../../src/platform/config/settings.ts";
import { newKey } from "../../src/platform/crypto/cipher.ts";
import { randomText } from "../../src/platform/crypto/secrets.ts";
import { KeyServiceProblem } from "../../src/platform/vault/errors.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";

/** The server that operators run: `bao` or `vault` of the PATH, or the program that the variable names. */
const PROGRAM = [process.env["TIDEGATE_OPENBAO"], "bao", "vault"].find(
  (name): name is string => name !== undefined && answersVersion(name),
);
const SKIPPED = PROGRAM === undefined && "no `bao` or `vault` on the PATH, and TIDEGATE_OPENBAO names none";

function answersVersion(program: string): boolean {
  try {
    return /OpenBao|Vault/.test(execFileSync(program, ["version"], { encoding: "utf8", stdio: "pipe" }));
  } catch {
    return false;
  }
}

const ID = "transit:transit/tidegate";
/** As docs/guides/vault.md has it. */
const POLICY = ["keys:read", "encrypt:update", "decrypt:update", "rewrap:update"]
  .map((line) => line.split(":"))
  .map(([verb, right]) => `path "transit/${verb}/tidegate" { capabilities = ["${right}"] }`)
  .join("\n");

describe("the key wrapper at a real OpenBao or Vault", { skip: SKIPPED }, () => {
  const rootToken = `root-${randomText(20)}`;
  let folder: string;
  let url: string;
  let stop: () => Promise<unknown>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "tidegate-openbao-"));
    const address = `127.0.0.1:${await freePort()}`;
    url = `http://${address}`;
    const dev = ["server", "-dev", `-dev-root-token-id=${rootToken}`, `-dev-listen-address=${address}`];
    const server = spawn(PROGRAM ?? "", [...dev, "-dev-no-store-token"], {
      stdio: "ignore",
      env: { PATH: process.env["PATH"], HOME: folder },
    });
    const ended = once(server, "exit");
    stop = () => {
      server.kill("SIGTERM");
      return ended;
    };
    const isUp = async () => (await fetch(`${url}/v1/sys/health`).catch(() => undefined))?.ok === true;
    await eventually("the key service is up", isUp, 60_000);
    await admin("POST", "sys/mounts/transit", { type: "transit" });
    await admin("POST", "transit/keys/tidegate", { type: "aes256-gcm96" });
    await admin("PUT", "sys/policies/acl/tidegate", { policy: POLICY });
    await admin("POST", "sys/auth/approle", { type: "approle" });
    await admin("POST", "auth/approle/role/gateway", { token_policies: ["tidegate"], token_ttl: "3s" });
  });
  after(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function admin(
    method: string,
    path: string,
    body?: object,
  ): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
    const answer = await fetch(`${url}/v1/${path}`, {
      method,
      headers: { "X-Vault-Token": rootToken },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    const text = await answer.text();
    return text === "" ? {} : JSON.parse(text);
  }

  async function fileWith(name: string, text: unknown): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, `${String(text)}\n`, { mode: 0o600 });
    return file;
  }

  const wrapperWith = (more: Readonly<Record<string, string>>) =>
    openTransit(readSettings({ TIDEGATE_TRANSIT_URL: url, TIDEGATE_TRANSIT_KEY: "tidegate", ...more }), {
      error: () => {},
    }).vault as KeyWrapper;

  async function byToken(policies: readonly string[] = ["tidegate"]): Promise<KeyWrapper> {
    const { auth } = await admin("POST", "auth/token/create", { policies, ttl: "10m" });
    return wrapperWith({ TIDEGATE_TRANSIT_TOKEN_FILE: await fileWith("token", auth?.["client_token"]) });
  }

  async function appRole() {
    const { data: role } = await admin("GET", "auth/approle/role/gateway/role-id");
    const { data: secret } = await admin("POST", "auth/approle/role/gateway/secret-id");
    return { role_id: role?.["role_id"], secret_id: secret?.["secret_id"] };
  }

  async function byAppRole(): Promise<KeyWrapper> {
    const { role_id, secret_id } = await appRole();
    return wrapperWith({
      TIDEGATE_TRANSIT_ROLE_ID_FILE: await fileWith("role", role_id),
      TIDEGATE_TRANSIT_SECRET_ID_FILE: await fileWith("secret", secret_id),
    });
  }

  test("wraps and unwraps a key with the rights of the guide's policy", async () => {
    const wrapper = await byToken();
    assert.deepEqual(await wrapper.masterIds(), [ID]);
    const key = newKey();
    const wrapped = await wrapper.wrap(ID, key, "context");
    assert.deepEqual([...((await wrapper.unwrap(ID, wrapped, "context")) ?? [])], [...key]);
  });

  test("another context, a changed text and no ciphertext at all open nothing", async () => {
    const wrapper = await byToken();
    const wrapped = await wrapper.wrap(ID, newKey(), "one");
    assert.equal(await wrapper.unwrap(ID, wrapped, "other"), undefined);
    const changed = Uint8Array.from(wrapped);
    changed[30] = changed[30] === 65 ? 66 : 65;
    assert.equal(await wrapper.unwrap(ID, changed, "one"), undefined);
    for (const text of ["vault:v1:AAAA", "vault:v99:AAAA", "nothing"])
      assert.equal(await wrapper.unwrap(ID, Buffer.from(text), "one"), undefined, text);
  });

  test("signs in by AppRole, and again when its token has ended", async () => {
    const wrapper = await byAppRole();
    const key = newKey();
    const wrapped = await wrapper.wrap(ID, key, "x");
    // A later token with the same lifetime has ended, so that of the wrapper has, too.
    const { auth } = await admin("POST", "auth/approle/login", await appRole());
    const headers = { "X-Vault-Token": String(auth?.["client_token"]) };
    await eventually("a later token has ended", async () => {
      return (await fetch(`${url}/v1/auth/token/lookup-self`, { headers })).status === 403;
    });
    assert.deepEqual([...((await wrapper.unwrap(ID, wrapped, "x")) ?? [])], [...key]);
  });

  test("renews a key under the newest version, and a retired version opens no more", async () => {
    const wrapper = await byToken();
    const key = newKey();
    const old = await wrapper.wrap(ID, key, "x");
    assert.equal(await wrapper.rewrap?.(ID, old), undefined);
    await admin("POST", "transit/keys/tidegate/rotate");
    const renewed = (await wrapper.rewrap?.(ID, old)) ?? assert.fail("not renewed");
    await admin("POST", "transit/keys/tidegate/config", { min_decryption_version: 2 });
    assert.equal(await wrapper.unwrap(ID, old, "x"), undefined);
    assert.deepEqual([...((await wrapper.unwrap(ID, renewed, "x")) ?? [])], [...key]);
  });

  test("a token without the policy, a key that is not there, and one that is too weak are named", async () => {
    const named = (words: RegExp) => (error: unknown) => {
      assert.ok(error instanceof KeyServiceProblem, String(error));
      assert.match(error.message, words);
      return true;
    };
    await assert.rejects((await byToken(["default"])).masterIds(), named(/refuses|permission|policy/i));
    await admin("POST", "transit/keys/weak", { type: "aes128-gcm96" });
    const { auth } = await admin("POST", "auth/token/create", { policies: ["root"], ttl: "10m" });
    const file = await fileWith("root-token", auth?.["client_token"]);
    const root = { TIDEGATE_TRANSIT_TOKEN_FILE: file };
    await assert.rejects(
      wrapperWith({ ...root, TIDEGATE_TRANSIT_KEY: "weak" }).masterIds(),
      named(/aes128-gcm96/),
    );
    await assert.rejects(
      wrapperWith({ ...root, TIDEGATE_TRANSIT_KEY: "absent" }).masterIds(),
      named(/no transit key absent/),
    );
  });
});
