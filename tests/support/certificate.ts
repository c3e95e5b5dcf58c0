import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";

export type Certificate = { readonly certFile: string; readonly keyFile: string; readonly cert: string };

/** A certificate for localhost, signed by itself, in files that go when the test file is done. */
export async function makeCertificate(): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-tls-"));
  after(() => rm(folder, { recursive: true, force: true }));
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  await promisify(execFile)("openssl", ["req", ...kind, ...names, "-keyout", keyFile, "-out", certFile]);
  return { certFile, keyFile, cert: await readFile(certFile, "utf8") };
}

/** A certificate authority of the tests' own, and a certificate of it for these names. */
export async function makeAuthority(names: readonly string[]): Promise<{
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-ca-"));
  const at = (name: string) => join(folder, name);
  const openssl = (...words: string[]) => promisify(execFile)("openssl", words);
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  try {
    await openssl(
      "req",
      "-x509",
      ...newKey,
      "-days",
      "2",
      "-subj",
      "/CN=Test CA",
      "-keyout",
      at("ca.key"),
      "-out",
      at("ca.pem"),
    );
    await openssl(
      "req",
      ...newKey,
      "-subj",
      `/CN=${names[0]}`,
      "-keyout",
      at("leaf.key"),
      "-out",
      at("leaf.csr"),
    );
    await writeFile(at("leaf.ext"), `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`);
    const signer = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-set_serial", "7", "-days", "2"];
    await openssl(
      "x509",
      "-req",
      "-in",
      at("leaf.csr"),
      ...signer,
      "-extfile",
      at("leaf.ext"),
      "-out",
      at("leaf.pem"),
    );
    const [ca, cert, key] = await Promise.all(
      ["ca.pem", "leaf.pem", "leaf.key"].map((name) => readFile(at(name), "utf8")),
    );
    return { ca: ca ?? "", cert: cert ?? "", key: key ?? "" };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
