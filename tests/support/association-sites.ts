import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createNetServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { promisify } from "node:util";
import { createEgress, type Egress } from "../../src/platform/egress/egress.ts";
import { makeCertificate } from "./certificate.ts";

/** How a domain answers when its association file is fetched. */
export type Site = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly fault?: "untrusted certificate" | "nothing listens" | "inside" | "breaks off" | "never answers";
};

const SOON_MS = 300;

/**
 * One HTTPS server for all domains in `names`, with a certificate of a test CA. It runs the gateway's own egress; only the
 * name lookup (in `sites`) and the port (the server's instead of 443) are replaced.
 */
export async function associationSites(names: readonly string[], sites: ReadonlyMap<string, Site>) {
  const { ca, cert, key } = await issueFor(names);
  const untrusted = await makeCertificate();
  const untrustedContext = createSecureContext({
    cert: untrusted.cert,
    key: await readFile(untrusted.keyFile, "utf8"),
  });
  const server = createServer(
    {
      cert,
      key,
      SNICallback: (name, choose) =>
        choose(null, sites.get(name)?.fault === "untrusted certificate" ? untrustedContext : undefined),
    },
    (request, response) => answer(sites.get((request.headers.host ?? "").split(":")[0] ?? ""), response),
  );
  const port = await portOf(server);
  const left = createNetServer();
  const portLeft = await portOf(left);
  left.close();
  const requested: string[] = [];
  const egress = createEgress(
    async (host) => {
      const site = sites.get(host);
      if (site === undefined) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
      return [{ address: site.fault === "inside" ? "10.1.2.3" : "127.0.0.1", family: 4 }];
    },
    { ca },
  );
  const send: Egress["send"] = async (outgoing) => {
    requested.push(outgoing.url);
    const url = new URL(outgoing.url);
    const { fault } = sites.get(url.hostname) ?? {};
    url.port = String(fault === "nothing listens" ? portLeft : port);
    const withinMs = fault === "never answers" ? SOON_MS : outgoing.withinMs;
    return egress.send({ ...outgoing, url: url.href, withinMs });
  };
  const close = async () => {
    await egress.close();
    server.closeAllConnections();
    server.close();
  };
  return { egress: { ...egress, send }, requested, close };
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return (server.address() as AddressInfo).port;
}

function answer(site: Site = {}, response: ServerResponse): void {
  const { status = 200, headers = { "content-type": "text/plain" }, body = "", fault } = site;
  if (fault === "breaks off") response.socket?.destroy();
  else if (fault !== "never answers") response.writeHead(status, headers).end(body);
}

async function issueFor(names: readonly string[]): Promise<{ ca: string; cert: string; key: string }> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-sites-"));
  const at = (name: string) => join(folder, name);
  const openssl = (...words: string[]) => promisify(execFile)("openssl", words);
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const authority = ["-x509", "-subj", "/CN=Test CA", "-days", "2"];
  const signed = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-set_serial", "2", "-days", "2"];
  try {
    await openssl("req", ...newKey, ...authority, "-keyout", at("ca.key"), "-out", at("ca.pem"));
    await openssl("req", "-new", ...newKey, "-subj", "/CN=sites", "-keyout", at("key"), "-out", at("csr"));
    await writeFile(at("ext"), `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`);
    await openssl("x509", "-req", "-in", at("csr"), ...signed, "-extfile", at("ext"), "-out", at("cert"));
    const read = (name: string) => readFile(at(name), "utf8");
    return { ca: await read("ca.pem"), cert: await read("cert"), key: await read("key") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
