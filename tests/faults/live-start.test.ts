import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { startGateway } from "../../src/app/gateway.ts";
import { operatorMessage } from "../../src/app/operator-message.ts";
import { examine } from "../../src/cli/doctor/examine.ts";
import { readSettings } from "../../src/platform/config/settings.ts";
import { runsUnderSharedUid } from "../../src/platform/embedded-postgres/index.ts";
import { createLog } from "../../src/platform/log/log.ts";
import { makeCertificate } from "../support/certificate.ts";
import { runCommand } from "../support/command-line.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { makeMerchant } from "../support/operator.ts";

const { certFile, keyFile } = await makeCertificate();
await chmod(keyFile, 0o600);

/** Settings of an account; no connection is made. */
const HOST = {
  host: "127.0.0.1",
  port: 9,
  dialect: "iso87-ascii",
  acquirerId: "123456",
  merchantId: "MERCHANT0000001",
  terminalId: "TERM0001",
  merchantCategoryCode: "5942",
  nameLocation: "HARBOUR BOOKS SYDNEY AU",
};

type Environment = Readonly<Record<string, string>>;

describe("contract 13: with an open live merchant an unfit gateway does not start, and doctor says so before", () => {
  let database: TestDatabase;
  let folder: string;
  let merchantId: string;
  let fit: Environment;
  let tls: Environment;
  const isRoot = process.getuid?.() === 0;
  before(async () => {
    database = await cloneDatabase();
    folder = await mkdtemp(join(tmpdir(), "tidegate-live-"));
    const [apiPort, hostedPort] = await Promise.all([freePort(), freePort()]);
    const vaultKeyFile = join(folder, "vault.key");
    await writeFile(vaultKeyFile, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
    fit = {
      DATABASE_URL: database.url,
      TIDEGATE_API_PORT: String(apiPort),
      TIDEGATE_HOSTED_PORT: String(hostedPort),
      TIDEGATE_BASE_URL: "https://pay.example",
      TIDEGATE_HOSTED_URL: "https://checkout.example",
      TIDEGATE_VAULT_KEY_FILE: vaultKeyFile,
      TIDEGATE_ROLES: "api",
      TIDEGATE_LOG_LEVEL: "silent",
    };
    tls = { TIDEGATE_TLS_CERT_FILE: certFile, TIDEGATE_TLS_KEY_FILE: keyFile };
    assert.equal(await start(fit), undefined);
    merchantId = (await makeMerchant(database, "live", "AU")).id;
  });
  after(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The line of a refused start; undefined if the gateway started. */
  async function start(environment: Environment): Promise<string | undefined> {
    const settings = readSettings(environment);
    try {
      const gateway = await startGateway({ settings, databaseUrl: database.url, log: createLog("silent") });
      await gateway.stop();
      return undefined;
    } catch (error) {
      return operatorMessage(error) ?? assert.fail(String(error));
    }
  }

  async function liveFindings(environment: Environment) {
    return (await examine({ ...environment })).filter(({ check }) => check === "live");
  }

  async function setCapability(on: boolean): Promise<void> {
    const capabilities = JSON.stringify({ cardNotPresent: false, payId: on });
    await database.rows("update merchants set capabilities = $2 where id = $1", [merchantId, capabilities]);
  }

  const without = (name: string, environment: Environment): Environment =>
    Object.fromEntries(Object.entries(environment).filter(([one]) => one !== name));

  /** Each lacks one thing. */
  const UNFIT: readonly (readonly [string, () => Environment, RegExp])[] = [
    [
      "an http base URL",
      () => ({ ...fit, TIDEGATE_BASE_URL: "http://pay.example" }),
      /TIDEGATE_BASE_URL is http:\/\/pay\.example/,
    ],
    ["the standard hosted URL", () => without("TIDEGATE_HOSTED_URL", fit), /TIDEGATE_HOSTED_URL is http:/],
    [
      "a sandbox key in the environment",
      () => ({ ...fit, TIDEGATE_SANDBOX_API_KEY: "a_sandbox_key_of_a_demo" }),
      /TIDEGATE_SANDBOX_API_KEY is set/,
    ],
    [
      "an optional second factor",
      () => ({ ...fit, TIDEGATE_SECOND_FACTOR: "optional" }),
      /TIDEGATE_SECOND_FACTOR is optional/,
    ],
    [
      "a sample of a vault key",
      () => ({ ...without("TIDEGATE_VAULT_KEY_FILE", fit), TIDEGATE_VAULT_KEY: "ab".repeat(32) }),
      /TIDEGATE_VAULT_KEY is a sample/,
    ],
  ];
  for (const [what, environment, words] of UNFIT) {
    test(`refuses ${what} only while a live merchant is open, and doctor names the same`, async () => {
      await setCapability(false);
      // A sample can't open this vault; the other environments start.
      if (!what.startsWith("a sample")) assert.equal(await start(environment()), undefined);
      const warned = await liveFindings(environment());
      assert.deepEqual(
        warned.map(({ status }) => status),
        ["warn"],
      );
      await setCapability(true);
      const line = await start(environment());
      assert.match(line ?? "", words);
      assert.doesNotMatch(line ?? "", /\n/);
      const failed = await liveFindings(environment());
      assert.deepEqual(
        failed.map(({ status }) => status),
        ["fail"],
      );
      assert.match(failed[0]?.says ?? "", words);
    });
  }

  test("takes the vault key from a variable, and doctor warns while a live merchant is open", async () => {
    const key = await readFile(fit["TIDEGATE_VAULT_KEY_FILE"] ?? "", "utf8");
    const environment = { ...without("TIDEGATE_VAULT_KEY_FILE", fit), TIDEGATE_VAULT_KEY: key.trim() };
    const warnings = async (one: Environment) =>
      (await examine({ ...one })).filter(({ check }) => check === "vault key");
    await setCapability(true);
    assert.equal(await start(environment), undefined);
    const [warned] = await warnings(environment);
    assert.equal(warned?.status, "warn");
    assert.match(warned.fix ?? "", /TIDEGATE_VAULT_KEY_FILE/);
    assert.ok(!warned.says.includes(key.trim()));
    assert.deepEqual(await warnings(fit), []);
    await setCapability(false);
    assert.deepEqual(await warnings(environment), []);
  });

  for (const [variable, mode, refused] of [
    ["TIDEGATE_VAULT_KEY_FILE", 0o604, true],
    ["TIDEGATE_VAULT_KEY_FILE", 0o602, true],
    ["TIDEGATE_VAULT_KEY_FILE", 0o400, false],
    ["TIDEGATE_TLS_KEY_FILE", 0o644, true],
    ["TIDEGATE_TLS_KEY_FILE", 0o600, false],
  ] as const) {
    test(`${refused ? "refuses" : "takes"} ${variable} with mode ${mode.toString(8)}`, async () => {
      await setCapability(true);
      const environment = { ...fit, ...tls };
      const file = environment[variable] ?? "";
      await chmod(file, mode);
      try {
        const line = await start(environment);
        const live = (await liveFindings(environment))[0];
        if (refused) {
          assert.match(line ?? "", new RegExp(`${variable} names .*, which they can: chmod 600`));
          assert.deepEqual([live?.status, live?.says.includes(variable)], ["fail", true]);
        } else assert.deepEqual([line, live?.status], [undefined, "ok"]);
      } finally {
        await chmod(file, 0o600);
      }
    });
  }

  test("refuses the key file of an acquirer account that others can read; doctor and the command say so", async () => {
    const file = join(folder, "acquirer.key");
    await writeFile(file, await readFile(keyFile), { mode: 0o600 });
    const settings = join(folder, "acquirer.json");
    const tlsFiles = { certFile, keyFile: file };
    await writeFile(settings, JSON.stringify({ ...HOST, tls: tlsFiles }));
    const words = ["acquirer", "add", "--merchant", merchantId, "--connector", "iso8583", "--settings"];
    const added = await runCommand(database, [...words, settings, "--json"], fit);
    const { acquirerAccountId } = JSON.parse(added.stdout) as { acquirerAccountId: string };
    await setCapability(true);
    assert.equal(await start(fit), undefined);
    await chmod(file, 0o644);
    const line = await start(fit);
    assert.match(line ?? "", new RegExp(`acquirer account ${acquirerAccountId} names .*acquirer\\.key`));
    const [live] = await liveFindings(fit);
    assert.deepEqual([live?.status, live?.says.includes(acquirerAccountId)], ["fail", true]);
    const change = ["merchant", "change", merchantId, "--set", '{"capabilities":{"payId":true}}', "--json"];
    assert.match(
      (await runCommand(database, change, fit)).stderr,
      /next start will be refused: .*acquirer\.key/,
    );
    await runCommand(database, ["acquirer", "disable", acquirerAccountId], fit);
    assert.equal(await start(fit), undefined);
  });

  test("a group may read a key that root owns, and no other", { skip: !isRoot }, async () => {
    await setCapability(true);
    const file = fit["TIDEGATE_VAULT_KEY_FILE"] ?? "";
    await chmod(file, 0o640);
    assert.equal(await start(fit), undefined);
    await chown(file, 12_345, 12_345);
    assert.match((await start(fit)) ?? "", /TIDEGATE_VAULT_KEY_FILE names/);
    await chown(file, 0, 0);
    await chmod(file, 0o600);
  });

  test("names every problem at once, on one line, and the process exits with 1", async () => {
    await setCapability(true);
    const { code, stderr } = await runCommand(database, ["start"], {
      ...without("TIDEGATE_BASE_URL", without("TIDEGATE_HOSTED_URL", fit)),
      TIDEGATE_SECOND_FACTOR: "optional",
      TIDEGATE_SANDBOX_API_KEY: "a_sandbox_key_of_a_demo",
    });
    assert.equal(code, 1);
    const lines = stderr.trim().split("\n");
    assert.equal(lines.length, 1, stderr);
    for (const variable of ["BASE_URL", "HOSTED_URL", "SECOND_FACTOR", "SANDBOX_API_KEY"]) {
      assert.ok(lines[0]?.includes(`TIDEGATE_${variable}`), `${variable} in ${lines[0]}`);
    }
  });

  test("doctor judges a database that is not migrated, as the start that migrates it would", async () => {
    await setCapability(true);
    const removed = await database.rows<{ name: string; checksum: string }>(
      "delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, checksum",
    );
    const unfit = { ...fit, TIDEGATE_SECOND_FACTOR: "optional" };
    assert.equal((await liveFindings(unfit))[0]?.status, "fail");
    assert.equal((await liveFindings(fit))[0]?.status, "ok");
    await database.rows("insert into schema_migrations (name, checksum) values ($1, $2)", [
      removed[0]?.name,
      removed[0]?.checksum,
    ]);
  });

  test("a command that opens a live merchant on an unfit gateway warns about the next start", async () => {
    const words = ["merchant", "change", merchantId, "--set", '{"capabilities":{"payId":true}}', "--json"];
    const environment = { ...fit, TIDEGATE_BASE_URL: "http://pay.example" };
    const { code, stderr } = await runCommand(database, words, environment);
    assert.equal(code, 0);
    assert.match(stderr, /warning: the next start will be refused: .*TIDEGATE_BASE_URL is http/);
    assert.equal((await runCommand(database, words, fit)).stderr, "");
  });

  test("root's embedded database under `nobody` is refused; under a user of its own it is not", {
    skip: !isRoot,
  }, async () => {
    await setCapability(true);
    const dataDir = join(folder, "embedded");
    const data = join(dataDir, "postgres", "data");
    await mkdir(data, { recursive: true });
    const embedded = { ...without("DATABASE_URL", fit), TIDEGATE_DATA_DIR: dataDir };
    assert.equal(await runsUnderSharedUid(join(folder, "none yet")), true);
    assert.match((await start(embedded)) ?? "", /the embedded one runs as `nobody`/);
    await chown(data, 65_534, 65_534);
    assert.match((await start(embedded)) ?? "", /the embedded one runs as `nobody`/);
    await chown(data, 12_345, 12_345);
    assert.equal(await start(embedded), undefined);
  });
});
