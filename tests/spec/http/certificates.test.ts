import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { copyFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { connect } from "node:tls";
import { CIPHERS } from "../../../src/platform/http/tls-files.ts";
import { makeCertificate } from "../../support/certificate.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

const [first, second] = [await makeCertificate(), await makeCertificate()];
const RENEWED_WITHIN_MS = 30_000;

describe("contract 13: certificates and ciphers", () => {
  let gateway: TestGateway;
  let folder: string;
  let files: { readonly certFile: string; readonly keyFile: string };
  const errors: string[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "tidegate-renewal-"));
    files = { certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") };
    await copyFile(first.certFile, files.certFile);
    await copyFile(first.keyFile, files.keyFile);
    gateway = await startTestGateway({
      environment: { TIDEGATE_TLS_CERT_FILE: files.certFile, TIDEGATE_TLS_KEY_FILE: files.keyFile },
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: (_fields, line) => errors.push(line) },
    });
  });
  after(async () => {
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function fingerprintAt(port: number): Promise<string> {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    try {
      await once(socket, "secureConnect");
      return socket.getPeerX509Certificate()?.fingerprint256 ?? "none";
    } finally {
      socket.destroy();
    }
  }

  async function cipherWith(ciphers: string): Promise<string | undefined> {
    const port = gateway.settings.apiPort;
    const socket = connect({
      host: "127.0.0.1",
      port,
      rejectUnauthorized: false,
      maxVersion: "TLSv1.2",
      ciphers,
    });
    try {
      await once(socket, "secureConnect");
      return socket.getCipher().standardName;
    } catch {
      return undefined;
    } finally {
      socket.destroy();
    }
  }

  const fingerprintOf = ({ cert }: { cert: string }) => new X509Certificate(cert).fingerprint256;

  test("every cipher has forward secrecy; a client without one is refused", async () => {
    for (const cipher of CIPHERS) assert.match(cipher, /^(TLS_(AES|CHACHA20)|ECDHE-)/);
    assert.match((await cipherWith("ECDHE-ECDSA-AES128-GCM-SHA256")) ?? "", /^TLS_ECDHE_/);
    // Node's own default would take this one: forward-secret, but with CBC.
    assert.equal(await cipherWith("ECDHE-ECDSA-AES128-SHA256:@SECLEVEL=0"), undefined);
    assert.equal(await cipherWith("AES128-GCM-SHA256:@SECLEVEL=0"), undefined);
  });

  test("files that are no pair leave the old certificate in use, with a line in the log", async () => {
    await copyFile(second.certFile, files.certFile);
    await eventually(
      "the log says so",
      async () => errors.some((line) => /certificate not renewed: .* hold no pair/.test(line)),
      RENEWED_WITHIN_MS,
    );
    for (const port of [gateway.settings.apiPort, gateway.settings.hostedPort])
      assert.equal(await fingerprintAt(port), fingerprintOf(first));
    await writeFile(files.certFile, "half a certifica");
    assert.equal(await fingerprintAt(gateway.settings.apiPort), fingerprintOf(first));
  });

  test("a new pair is in use on every port within 30 seconds, without a restart", async () => {
    for (const name of ["certFile", "keyFile"] as const) {
      await copyFile(second[name], `${files[name]}.new`);
      await rename(`${files[name]}.new`, files[name]);
    }
    for (const port of [gateway.settings.apiPort, gateway.settings.hostedPort]) {
      await eventually(
        "the new certificate",
        async () => (await fingerprintAt(port)) === fingerprintOf(second),
        RENEWED_WITHIN_MS,
      );
    }
    assert.equal(await cipherWith("AES128-GCM-SHA256:@SECLEVEL=0"), undefined, "the ciphers stay");
  });
});
