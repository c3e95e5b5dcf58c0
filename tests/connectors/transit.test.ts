import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import type { KeyWrapper } from "../../src/connectors/ports/key-wrapper.ts";
import { openTransit } from "../../src/connectors/transit/transit.ts";
import { readSettings } from "../../src/platform/config/settings.ts";
import { newKey } from "../../src/platform/crypto/cipher.ts";
import { KeyServiceProblem } from "../../src/platform/vault/errors.ts";
import { makeCertificate } from "../support/certificate.ts";
import { eventually } from "../support/eventually.ts";
import { type FakeTransit, openFakeTransit } from "../support/fake-transit.ts";

const ID = "transit:transit/tidegate";

describe("the transit engine of Vault and OpenBao as key wrapper", () => {
  let folder: string;
  let fake: FakeTransit;
  const fakes: FakeTransit[] = [];
  const logged: string[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "tidegate-transit-"));
  });
  afterEach(async () => {
    for (const one of fakes.splice(0)) await one.close();
    logged.length = 0;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function open(options: Parameters<typeof openFakeTransit>[0] = {}): Promise<FakeTransit> {
    fake = await openFakeTransit(options);
    fakes.push(fake);
    fake.makeKey("tidegate");
    return fake;
  }

  async function fileWith(name: string, text: string): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, `${text}\n`);
    return file;
  }

  async function wrapperWith(more: Readonly<Record<string, string>> = {}, token?: string) {
    const settings = readSettings({
      TIDEGATE_TRANSIT_URL: fake.url,
      TIDEGATE_TRANSIT_KEY: "tidegate",
      TIDEGATE_TRANSIT_TIMEOUT_MS: "30000",
      ...(more["TIDEGATE_TRANSIT_ROLE_ID_FILE"] === undefined && {
        TIDEGATE_TRANSIT_TOKEN_FILE: await fileWith("token", token ?? fake.makeToken()),
      }),
      ...more,
    });
    return openTransit(settings, { error: (_fields, message) => void logged.push(message) })
      .vault as KeyWrapper;
  }

  const problem = (words: RegExp) => (error: unknown) => {
    assert.ok(error instanceof KeyServiceProblem, String(error));
    assert.match(error.message, words);
    assert.doesNotMatch(error.message, /\n|hvs\./);
    return true;
  };

  test("wraps and unwraps a key, and neither its bytes nor the context are in the traffic in clear", async () => {
    await open();
    const wrapper = await wrapperWith();
    assert.deepEqual(await wrapper.masterIds(), [ID]);
    const key = newKey();
    const wrapped = await wrapper.wrap(ID, key, "context of this key");
    assert.match(Buffer.from(wrapped).toString(), /^vault:v1:/);
    assert.deepEqual([...((await wrapper.unwrap(ID, wrapped, "context of this key")) ?? [])], [...key]);
    assert.ok(!fake.traffic.join().includes("context of this key"));
  });

  test("what was wrapped opens for its context and its master key alone", async () => {
    await open();
    const wrapper = await wrapperWith();
    const wrapped = await wrapper.wrap(ID, newKey(), "one");
    assert.equal(await wrapper.unwrap(ID, wrapped, "other"), undefined);
    assert.equal(await wrapper.unwrap("transit:transit/else", wrapped, "one"), undefined);
    const changed = Uint8Array.from(wrapped);
    changed[30] = changed[30] === 65 ? 66 : 65;
    assert.equal(await wrapper.unwrap(ID, changed, "one"), undefined);
    assert.equal(await wrapper.unwrap(ID, Buffer.from("vault:v1:AAAA"), "one"), undefined);
    assert.equal(await wrapper.unwrap(ID, Buffer.from("nothing"), "one"), undefined);
    await assert.rejects(wrapper.wrap("local-1", newKey(), "one"));
  });

  test("rewraps under the newest version without decrypting, and only once", async () => {
    await open();
    const wrapper = await wrapperWith();
    const key = newKey();
    const old = await wrapper.wrap(ID, key, "x");
    assert.equal(await wrapper.rewrap?.(ID, old), undefined);
    fake.rotateKey("tidegate");
    fake.calls.length = 0;
    const renewed = (await wrapper.rewrap?.(ID, old)) ?? assert.fail("not renewed");
    assert.deepEqual(fake.calls, ["POST /v1/transit/rewrap/tidegate 200"]);
    assert.match(Buffer.from(renewed).toString(), /^vault:v2:/);
    fake.retireOldVersions("tidegate");
    assert.equal(await wrapper.unwrap(ID, old, "x"), undefined);
    assert.deepEqual([...((await wrapper.unwrap(ID, renewed, "x")) ?? [])], [...key]);
  });

  test("signs in by AppRole, and again when the token is refused", async () => {
    await open();
    const wrapper = await wrapperWith({
      TIDEGATE_TRANSIT_ROLE_ID_FILE: await fileWith("role", fake.appRole.roleId),
      TIDEGATE_TRANSIT_SECRET_ID_FILE: await fileWith("secret", fake.appRole.secretId),
    });
    const logins = () => fake.calls.filter((call) => call.includes("/login")).length;
    await wrapper.wrap(ID, newKey(), "x");
    await wrapper.wrap(ID, newKey(), "x");
    assert.equal(logins(), 1);
    fake.revokeTokens();
    await wrapper.wrap(ID, newKey(), "x");
    assert.equal(logins(), 2);
  });

  test("signs in by AppRole again before the token ends", async () => {
    await open({ leaseSeconds: 3 });
    const wrapper = await wrapperWith({
      TIDEGATE_TRANSIT_ROLE_ID_FILE: await fileWith("role", fake.appRole.roleId),
      TIDEGATE_TRANSIT_SECRET_ID_FILE: await fileWith("secret", fake.appRole.secretId),
    });
    const logins = () => fake.calls.filter((call) => call.includes("/login")).length;
    await wrapper.wrap(ID, newKey(), "x");
    const before = logins();
    await eventually("it signs in again", async () => {
      await wrapper.wrap(ID, newKey(), "x");
      return logins() > before;
    });
    assert.equal(logins(), before + 1);
    assert.ok(!fake.calls.some((call) => call.endsWith("403")), "before the token ended");
  });

  test("calls at the same moment share one sign-in, and its failure", async () => {
    await open();
    const wrapper = await wrapperWith({
      TIDEGATE_TRANSIT_ROLE_ID_FILE: await fileWith("role", fake.appRole.roleId),
      TIDEGATE_TRANSIT_SECRET_ID_FILE: await fileWith("secret", fake.appRole.secretId),
    });
    const logins = () => fake.calls.filter((call) => call.includes("/login")).length;
    const wrapMany = () => Promise.all(Array.from({ length: 10 }, () => wrapper.wrap(ID, newKey(), "x")));
    await wrapMany();
    assert.equal(logins(), 1);
    fake.revokeTokens();
    await wrapMany();
    assert.equal(logins(), 2);
    fake.revokeTokens();
    await fileWith("secret", "wrong");
    await assert.rejects(wrapMany(), problem(/refuses to sign this node in/));
    await fileWith("secret", fake.appRole.secretId);
    await wrapMany();
  });

  test("a changed ciphertext is one whatever status the service gives it; its own broken storage is not", async () => {
    await open({ isOld: true });
    const wrapper = await wrapperWith();
    const changed = Uint8Array.from(await wrapper.wrap(ID, newKey(), "x"));
    changed[30] = changed[30] === 65 ? 66 : 65;
    assert.equal(await wrapper.unwrap(ID, changed, "x"), undefined);
    assert.deepEqual(logged, []);
    fake.behave("broken storage");
    await assert.rejects(wrapper.unwrap(ID, changed, "x"), problem(/does not work \(500\)/));
  });

  test("a service that is sealed says so to a node that signs in, too", async () => {
    await open();
    const wrapper = await wrapperWith({
      TIDEGATE_TRANSIT_ROLE_ID_FILE: await fileWith("role", fake.appRole.roleId),
      TIDEGATE_TRANSIT_SECRET_ID_FILE: await fileWith("secret", fake.appRole.secretId),
    });
    fake.behave("sealed");
    await assert.rejects(wrapper.masterIds(), problem(/is sealed or a standby \(503\)/));
  });

  test("a token that an agent has renewed is read again", async () => {
    await open();
    const wrapper = await wrapperWith();
    await wrapper.masterIds();
    fake.revokeTokens();
    await fileWith("token", fake.makeToken());
    assert.deepEqual(await wrapper.masterIds(), [ID]);
  });

  test("the namespace goes along, and without it the service refuses", async () => {
    await open({ namespace: "payments" });
    const inside = await wrapperWith({ TIDEGATE_TRANSIT_NAMESPACE: "payments" });
    assert.deepEqual(await inside.masterIds(), [ID]);
    await assert.rejects((await wrapperWith()).masterIds(), problem(/refuses transit\/keys\/tidegate/));
  });

  test("TLS: trusts the given authority and no other", async () => {
    const { certFile, keyFile } = await makeCertificate();
    const [cert, key] = await Promise.all([readFile(certFile, "utf8"), readFile(keyFile, "utf8")]);
    await open({ tls: { cert, key } });
    assert.deepEqual(await (await wrapperWith({ TIDEGATE_TRANSIT_CA_FILE: certFile })).masterIds(), [ID]);
    await assert.rejects((await wrapperWith()).masterIds(), problem(/does not answer \(\w*SELF_SIGNED\w*\)/));
  });

  for (const [what, behaviour, words] of [
    ["sealed", "sealed", /is sealed or a standby \(503\)/],
    ["a standby that can't forward", 307, /is sealed or a standby \(307\)/],
    ["broken", 500, /does not work \(500\)/],
    ["overloaded", 429, /does not work \(429\)/],
    ["long-winded", "long-winded", /does not answer \(ANSWER_TOO_LONG\)/],
    ["silent", "silent", /does not answer \(no answer in time\)/],
  ] as const) {
    test(`fails closed while the service is ${what}, says so once in the log, and recovers`, async () => {
      await open();
      const patient = await wrapperWith();
      const wrapped = await patient.wrap(ID, newKey(), "x");
      const wrapper =
        behaviour === "silent" ? await wrapperWith({ TIDEGATE_TRANSIT_TIMEOUT_MS: "500" }) : patient;
      fake.behave(behaviour);
      const begun = performance.now();
      await assert.rejects(wrapper.unwrap(ID, wrapped, "x"), problem(words));
      await assert.rejects(wrapper.wrap(ID, newKey(), "x"), problem(words));
      assert.ok(performance.now() - begun < 20_000, "the limit of time holds");
      assert.equal(logged.length, 1);
      assert.match(logged[0] ?? "", /^stored numbers can't be used: the key service at/);
      fake.behave("normal");
      const unwrapped = await eventually("it answers again", () =>
        wrapper.unwrap(ID, wrapped, "x").catch((error: unknown) => {
          if (error instanceof KeyServiceProblem && behaviour === "silent") return undefined;
          throw error;
        }),
      );
      assert.equal(unwrapped.length, 32);
    });
  }

  test("problems that the operator has to fix are named, without the token", async () => {
    await open();
    fake.makeKey("signs", "rsa-4096");
    const [own, others] = [fake.makeToken(["tidegate"]), fake.makeToken(["other"])];
    assert.deepEqual(await (await wrapperWith({}, own)).masterIds(), [ID]);
    await assert.rejects((await wrapperWith({}, others)).masterIds(), problem(/policy allows that path/));
    await assert.rejects((await wrapperWith({}, "hvs.no")).masterIds(), problem(/token is valid/));
    await assert.rejects(
      (await wrapperWith({}, " ")).masterIds(),
      problem(/_TOKEN_FILE names an empty file/),
    );
    const missing = { TIDEGATE_TRANSIT_TOKEN_FILE: join(folder, "none") };
    await assert.rejects(
      (await wrapperWith(missing)).masterIds(),
      problem(/_TOKEN_FILE can't be read \(ENOENT\)/),
    );
    const named = await wrapperWith({ TIDEGATE_TRANSIT_KEY: "nothing" });
    await assert.rejects(named.masterIds(), problem(/has no transit key nothing at transit/));
    await assert.rejects(named.wrap("transit:transit/nothing", newKey(), "x"), problem(/has no transit key/));
    const rsa = await wrapperWith({ TIDEGATE_TRANSIT_KEY: "signs" });
    await assert.rejects(rsa.masterIds(), problem(/of the type rsa-4096, which does not detect changes/));
    fake.makeKey("weak", "aes128-gcm96");
    const weak = await wrapperWith({ TIDEGATE_TRANSIT_KEY: "weak" });
    await assert.rejects(weak.masterIds(), problem(/aes128-gcm96, which is weaker than the keys/));
    fake.makeKey("derives", "aes256-gcm96", true);
    const derives = await wrapperWith({ TIDEGATE_TRANSIT_KEY: "derives" });
    await assert.rejects(derives.masterIds(), problem(/derives keys from a context/));
    const role = {
      TIDEGATE_TRANSIT_ROLE_ID_FILE: await fileWith("role", "wrong"),
      TIDEGATE_TRANSIT_SECRET_ID_FILE: await fileWith("secret", "wrong"),
    };
    await assert.rejects(
      (await wrapperWith(role)).masterIds(),
      problem(/refuses to sign this node in \(400/),
    );
    await fake.close();
    await assert.rejects((await wrapperWith()).masterIds(), problem(/does not answer \(ECONNREFUSED\)/));
  });
});
