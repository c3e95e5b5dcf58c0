import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import { startGateway } from "../../src/app/gateway.ts";
import { openDatabasePlace } from "../../src/app/open-database.ts";
import { operatorMessage } from "../../src/app/operator-message.ts";
import { examine } from "../../src/cli/doctor/examine.ts";
import { readSettings } from "../../src/platform/config/settings.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { openEmbeddedPostgres } from "../../src/platform/embedded-postgres/index.ts";
import { createLog } from "../../src/platform/log/log.ts";
import { TEST_VAULT_KEY } from "../support/calls.ts";
import { makeCertificate } from "../support/certificate.ts";
import { runCommand } from "../support/command-line.ts";
import type { TestDatabase } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { type OwnPostgres, startOwnPostgres } from "../support/own-postgres.ts";
import { spawnGateway } from "../support/spawned-gateway.ts";

type Environment = Readonly<Record<string, string>>;

let own: OwnPostgres;
let database: TestDatabase;
let folder: string;
before(async () => {
  // Unlike the server of the tests, this one has written to the disk what it confirmed, as doctor demands.
  own = await startOwnPostgres();
  database = own.database;
  await migrate(database.url);
  folder = await mkdtemp(join(tmpdir(), "tidegate-doctor-"));
});
after(async () => {
  await own.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The line with which a start fails; undefined if it starts. */
async function startLine(environment: Environment): Promise<string | undefined> {
  try {
    const settings = readSettings(environment);
    const place = await openDatabasePlace(settings, { holdsFolder: true, notice: () => {} });
    try {
      const gateway = await startGateway({ settings, databaseUrl: place.url, log: createLog("silent") });
      await gateway.stop();
      return undefined;
    } finally {
      await place.close();
    }
  } catch (error) {
    return operatorMessage(error) ?? assert.fail(String(error));
  }
}

async function failures(environment: Environment): Promise<readonly string[]> {
  return (await examine(environment))
    .filter(({ status }) => status === "fail")
    .map(({ says, fix }) => `${says}; ${fix}`);
}

async function healthy(): Promise<Record<string, string>> {
  return {
    DATABASE_URL: database.url,
    TIDEGATE_VAULT_KEY: TEST_VAULT_KEY,
    TIDEGATE_API_PORT: String(await freePort()),
    TIDEGATE_HOSTED_PORT: String(await freePort()),
  };
}

const without = (environment: Environment, name: string): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([key]) => key !== name));

/** A way to break the set-up, and the words that both lines have in common. */
type Fault = {
  readonly what: string;
  readonly words: RegExp;
  readonly spoil: (good: Environment, t: TestContext) => Promise<Environment>;
};

const FAULTS: readonly Fault[] = [
  {
    what: "a misspelt variable",
    words: /TIDEGATE_VALUT_KEY is no setting, did you mean TIDEGATE_VAULT_KEY\?/,
    spoil: async (good) => ({ ...good, TIDEGATE_VALUT_KEY: "x" }),
  },
  {
    what: "an invalid setting",
    words: /TIDEGATE_RATE_LIMIT is not a whole number/,
    spoil: async (good) => ({ ...good, TIDEGATE_RATE_LIMIT: "many" }),
  },
  {
    what: "a database that is not UTF-8",
    words: /the encoding SQL_ASCII, and UTF8 is needed/,
    spoil: async (good, t) => {
      const name = `ascii_${process.pid}`;
      await database.rows(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`);
      t.after(() => database.rows(`drop database ${name}`));
      return { ...good, DATABASE_URL: Object.assign(new URL(database.url), { pathname: `/${name}` }).href };
    },
  },
  {
    what: "a database that does not answer",
    words: /the database does not let us in/,
    spoil: async (good) => ({ ...good, DATABASE_URL: "postgres://x@127.0.0.1:1/x" }),
  },
  {
    what: "a port in use",
    words: /TIDEGATE_API_PORT is \d+, which another program listens on/,
    spoil: async (good, t) => ({ ...good, TIDEGATE_API_PORT: await occupiedPort(t) }),
  },
  {
    what: "a port for monitoring in use",
    words: /TIDEGATE_WATCH_PORT is \d+, which another program listens on/,
    spoil: async (good, t) => ({ ...good, TIDEGATE_WATCH_PORT: await occupiedPort(t) }),
  },
  {
    what: "an address of another machine",
    words: /TIDEGATE_HOST can't be listened on/,
    spoil: async (good) => ({ ...good, TIDEGATE_HOST: "203.0.113.7" }),
  },
  {
    what: "a certificate that can't be read",
    words: /TIDEGATE_TLS_CERT_FILE/,
    spoil: async (good) => {
      const { keyFile } = await makeCertificate();
      return { ...good, TIDEGATE_TLS_CERT_FILE: "/nowhere.pem", TIDEGATE_TLS_KEY_FILE: keyFile };
    },
  },
  {
    what: "a vault key file that can't be read",
    words: /TIDEGATE_VAULT_KEY_FILE can't be read/,
    spoil: async (good) => ({ ...without(good, "TIDEGATE_VAULT_KEY"), TIDEGATE_VAULT_KEY_FILE: "/nowhere" }),
  },
  {
    what: "a wallet's key file that can't be read",
    words: /TIDEGATE_GOOGLE_PAY_(ROOT_)?KEYS?_FILE/,
    spoil: async (good) => ({
      ...good,
      TIDEGATE_GOOGLE_PAY_GATEWAY_ID: "tidegate",
      TIDEGATE_GOOGLE_PAY_MERCHANT_ID: "BCR2DN4T7XXXXXXX",
      TIDEGATE_GOOGLE_PAY_KEY_FILE: "/nowhere.pem",
      TIDEGATE_GOOGLE_PAY_ROOT_KEYS_FILE: "/nowhere.json",
    }),
  },
  {
    what: "another database's vault key",
    words: /vault/i,
    spoil: async (good) => {
      assert.equal(await startLine(good), undefined);
      return { ...good, TIDEGATE_VAULT_KEY: randomBytes(32).toString("base64") };
    },
  },
];

async function occupiedPort(t: TestContext): Promise<string> {
  const port = await freePort();
  const other = createServer((socket) => socket.end("hello"));
  await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
  t.after(() => other.close());
  return String(port);
}

describe("doctor names what start refuses", () => {
  test("a healthy set-up starts, and doctor finds no failure", async () => {
    const good = await healthy();
    assert.equal(await startLine(good), undefined);
    assert.deepEqual(await failures(good), []);
  });

  for (const { what, words, spoil } of FAULTS) {
    test(`${what} is refused by start and named by doctor`, async (t) => {
      const bad = await spoil(await healthy(), t);
      assert.match((await startLine(bad)) ?? "it started", words);
      const named = await failures(bad);
      assert.ok(
        named.some((line) => words.test(line)),
        named.join("\n"),
      );
    });
  }

  test("a generated vault key that other users can read is refused, also before the database is opened", async () => {
    const dataDir = await mkdtemp(join(folder, "data-"));
    const key = join(dataDir, "vault.key");
    await writeFile(key, `${randomBytes(32).toString("base64")}\n`);
    await chmod(key, 0o644);
    const environment = { ...without(await healthy(), "DATABASE_URL"), TIDEGATE_DATA_DIR: dataDir };
    const bad = without(environment, "TIDEGATE_VAULT_KEY");
    const words = /vault\.key is open to other users of this machine: chmod 600 it/;
    assert.ok((await failures(bad)).some((line) => words.test(line)));
    assert.deepEqual(await readdir(dataDir), ["vault.key"]);
    assert.match((await startLine(bad)) ?? "it started", words);
    assert.deepEqual(await readdir(dataDir), ["vault.key"]);
  });

  test("a system with another C library than glibc is refused in one line, and nothing is created", async () => {
    const packageFolder = await mkdtemp(join(folder, "package-"));
    await mkdir(join(packageFolder, "native/bin"), { recursive: true });
    // As on Alpine: the file is there and executable, the loader that it names is not.
    await writeFile(join(packageFolder, "native/bin/postgres"), "#!/nowhere/loader\n", { mode: 0o755 });
    const dataDir = await mkdtemp(join(folder, "data-"));
    const words =
      /the PostgreSQL binaries do not run here \(they need glibc, which this system does not have\): set DATABASE_URL/;
    const environment = { ...without(await healthy(), "DATABASE_URL"), TIDEGATE_DATA_DIR: dataDir };
    const [found] = (await examine(environment, { packageFolder })).filter(({ status }) => status === "fail");
    assert.match(found?.says ?? "", words);
    await assert.rejects(
      openEmbeddedPostgres({
        dataDir,
        holdsFolder: true,
        notice: () => {},
        packageFolder,
        copiesFolder: join(dataDir, "copies"),
      }),
      (error: Error) => words.test(operatorMessage(error) ?? "") && !error.message.includes("\n"),
    );
    assert.deepEqual(await readdir(dataDir), []);
    assert.deepEqual(await failures(environment), []);
  });

  test("a configured key file that other users can read is a warning of both, and its closing ends it", async () => {
    const file = join(folder, "master.key");
    await writeFile(file, `${TEST_VAULT_KEY}\n`);
    await chmod(file, 0o644);
    const environment = { ...without(await healthy(), "TIDEGATE_VAULT_KEY"), TIDEGATE_VAULT_KEY_FILE: file };
    const keyFiles = async () => (await examine(environment)).find(({ check }) => check === "key files");
    assert.equal((await keyFiles())?.status, "warn");
    assert.match((await keyFiles())?.says ?? "", /TIDEGATE_VAULT_KEY_FILE names .*master\.key/);
    const gateway = await spawnGateway({
      environment: { ...environment, TIDEGATE_VAULT_KEY: "", TIDEGATE_FAVOURITE_COLOUR: "blue" },
    });
    gateway.signal("SIGTERM");
    await gateway.exit;
    assert.match(gateway.stderr(), /other users can read the key in .*master\.key: chmod 600 it/);
    assert.match(gateway.stderr(), /TIDEGATE_FAVOURITE_COLOUR is no setting and has no effect/);
    await chmod(file, 0o600);
    assert.equal((await keyFiles())?.status, "ok");
  });

  test("doctor warns of a variable that is no setting", async () => {
    const all = await examine({ ...(await healthy()), TIDEGATE_FAVOURITE_COLOUR: "blue" });
    const found = all.find(({ check }) => check === "settings");
    assert.deepEqual(
      [found?.status, found?.says],
      ["warn", "TIDEGATE_FAVOURITE_COLOUR: no setting, without effect"],
    );
  });
});

describe("a command in another folder than the gateway's", () => {
  for (const words of [["merchant", "list"], ["migrate"], ["key", "create", "--merchant", "mer_x"]]) {
    test(`${words.join(" ")} names the missing database and creates nothing`, async () => {
      const place = await mkdtemp(join(folder, "elsewhere-"));
      const run = await runCommand(database, words, {
        DATABASE_URL: "",
        TIDEGATE_DATA_DIR: join(place, ".tidegate"),
      });
      assert.deepEqual([run.code, run.stdout], [1, ""], run.stderr);
      assert.match(
        run.stderr,
        /^tidegate: there is no database in \S+\.tidegate: run this in the folder of the gateway, .*\n$/,
      );
      assert.deepEqual(await readdir(place), []);
    });
  }
});
