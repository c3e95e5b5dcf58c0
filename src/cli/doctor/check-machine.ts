import { X509Certificate } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { createSecureContext } from "node:tls";
import type { Settings } from "../../platform/config/settings.ts";
import { errorText, type Finding, findings } from "./finding.ts";

const node = findings("node");
const tls = findings("TLS");
const disk = findings("disk");

const OLDEST_NODE = 24;
const DAY_MS = 86_400_000;
export const RENEW_DAYS = 21;
const GIB = 1024 ** 3;
const ROOM_WARN = 2 * GIB;
const ROOM_FAIL = GIB / 4;

export function checkNode(version = process.versions.node): Finding {
  return Number(version.split(".")[0]) >= OLDEST_NODE
    ? node.ok(version)
    : node.fail(
        `${version} is too old`,
        `use Node ${OLDEST_NODE} or newer; \`npm run\` uses the one that \`npm install\` installed`,
      );
}

/** The files must exist, belong together, and stay valid for a while. */
export function checkTls({ tlsCertFile, tlsKeyFile, baseUrl }: Settings, now: number): Finding {
  if (tlsCertFile === undefined || tlsKeyFile === undefined) {
    const behindProxy = new URL(baseUrl).protocol === "https:";
    const local = /^(localhost|127\.|\[::1\])/.test(new URL(baseUrl).hostname);
    if (behindProxy) return tls.ok("plain HTTP here; a proxy terminates TLS, as TIDEGATE_BASE_URL is https");
    return local
      ? tls.ok("plain HTTP on this machine, for tests and development")
      : tls.warn(
          "payers and merchants reach this by plain HTTP",
          "set TIDEGATE_TLS_CERT_FILE and TIDEGATE_TLS_KEY_FILE, or let a proxy terminate TLS and set both URLs to https",
        );
  }
  try {
    const cert = readFileSync(tlsCertFile);
    createSecureContext({ cert, key: readFileSync(tlsKeyFile) });
    return ageOf(new X509Certificate(cert), now);
  } catch (error) {
    return tls.fail(
      `the certificate and its key can't be used (${errorText(error)})`,
      "set TIDEGATE_TLS_CERT_FILE and TIDEGATE_TLS_KEY_FILE to readable PEM files that belong together",
    );
  }
}

function ageOf({ validFrom, validTo }: X509Certificate, now: number): Finding {
  const days = daysLeft(Date.parse(validTo), now);
  if (Date.parse(validFrom) > now)
    return tls.fail(`the certificate is valid from ${validFrom} on`, "check this machine's clock");
  if (days < 0)
    return tls.fail(
      `the certificate expired ${-days} days ago`,
      "renew it; a running gateway takes the new files within 30 seconds",
    );
  return days < RENEW_DAYS
    ? tls.warn(
        `the certificate expires in ${days} days`,
        "renew it; a running gateway takes the new files within 30 seconds",
      )
    : tls.ok(`certificate and key belong together; ${days} days left`);
}

export function daysLeft(end: number, now: number): number {
  return Math.floor((end - now) / DAY_MS);
}

/** Where the first start creates the embedded database: the folder, or the nearest one above it that exists. */
export function checkFolder(folder: string, binaryProblem: string | undefined): Finding {
  const database = findings("database");
  if (binaryProblem !== undefined) {
    return database.fail(
      `none yet in ${folder}, and a start can't create it: ${binaryProblem}`,
      "README.md lists the systems that the embedded database runs on",
    );
  }
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    return database.ok(`none yet in ${folder}; the first start creates it`);
  } catch {
    return database.fail(
      `none yet in ${folder}, and this user can't create it: ${nearest} is not writable`,
      "run this in the folder of the gateway, or set TIDEGATE_DATA_DIR to a folder that this user can write",
    );
  }
}

/** Free space for the embedded server's data. The disk of an external server can't be checked from here. */
export function checkDisk(folder: string): Finding {
  try {
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const message = `${(free / GIB).toFixed(1)} GiB free for ${folder}`;
    if (free < ROOM_FAIL) return disk.fail(message, "free up space now: without it PostgreSQL stops writing");
    return free < ROOM_WARN
      ? disk.warn(message, "free up space, or move TIDEGATE_DATA_DIR to a larger disk")
      : disk.ok(message);
  } catch (error) {
    return disk.fail(
      `${folder} can't be read (${errorText(error)})`,
      "set TIDEGATE_DATA_DIR to a folder that this user can write",
    );
  }
}
