import { readFileSync } from "node:fs";
import type { Server } from "node:https";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { SettingProblem } from "../config/setting.ts";
import { SETTINGS, type Settings } from "../config/settings.ts";
import type { Log } from "../log/log.ts";

/** Every one has forward secrecy and authenticated encryption. The first three are TLS 1.3's. */
export const CIPHERS = [
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "TLS_AES_128_GCM_SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
] as const;

const RULES = { minVersion: "TLSv1.2", ciphers: CIPHERS.join(":"), honorCipherOrder: true } as const;

/** Files are compared by content: tools replace them by renaming, by a link, or in place. Well within 30 seconds. */
const CHECK_EVERY_MS = 5_000;

type Pair = { readonly cert: Buffer; readonly key: Buffer };
type Files = { readonly certFile: string; readonly keyFile: string };

function filesOf({ tlsCertFile, tlsKeyFile }: Settings): Files | undefined {
  if (tlsCertFile === undefined || tlsKeyFile === undefined) return undefined;
  return { certFile: tlsCertFile, keyFile: tlsKeyFile };
}

/** The options of a server with TLS, from the operator's files; undefined without them. */
export function tlsOptions(settings: Settings): SecureContextOptions | undefined {
  const files = filesOf(settings);
  if (files === undefined) return undefined;
  const pair = {
    cert: readPem(files.certFile, SETTINGS.tlsCertFile),
    key: readPem(files.keyFile, SETTINGS.tlsKeyFile),
  };
  if (isPair(pair)) return { ...RULES, ...pair };
  const { variable, allowed } = SETTINGS.tlsKeyFile;
  throw new SettingProblem(variable, `does not fit ${SETTINGS.tlsCertFile.variable}`, allowed);
}

/**
 * Takes a new certificate while the server runs: new connections get it, open ones go on. Files that are no pair, or are
 * being written, are reported once and leave the server with what it has.
 */
export function followTlsFiles(server: Server, settings: Settings, log: Log): void {
  const files = filesOf(settings);
  if (files === undefined) return;
  let known = contentOf(files);
  let refused: string | undefined;
  const renew = () => {
    const found = contentOf(files);
    const text = fingerprint(found);
    if (text === fingerprint(known) || text === refused) return;
    if (found === undefined || !isPair(found)) {
      refused = text;
      const { tlsCertFile, tlsKeyFile } = SETTINGS;
      log.error(
        {},
        `certificate not renewed: ${tlsCertFile.variable} and ${tlsKeyFile.variable} hold no pair; the gateway goes on with the previous certificate`,
      );
      return;
    }
    server.setSecureContext({ ...RULES, ...found });
    [known, refused] = [found, undefined];
    log.info({}, "certificate renewed: new connections get it");
  };
  const timer = setInterval(renew, CHECK_EVERY_MS).unref();
  server.on("close", () => clearInterval(timer));
}

function contentOf({ certFile, keyFile }: Files): Pair | undefined {
  try {
    return { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  } catch {
    return undefined;
  }
}

function fingerprint(pair: Pair | undefined): string {
  return pair === undefined ? "unreadable" : `${pair.cert.toString("base64")} ${pair.key.toString("base64")}`;
}

function isPair(pair: Pair): boolean {
  try {
    createSecureContext(pair);
    return true;
  } catch {
    return false;
  }
}

function readPem(file: string, { variable, allowed }: { variable: string; allowed: string }): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new SettingProblem(variable, "names a file that can't be read", allowed);
  }
}
