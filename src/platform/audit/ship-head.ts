import { createSocket } from "node:dgram";
import { appendFile } from "node:fs/promises";
import { hostname } from "node:os";
import { type Instant, toIso } from "../../kernel/time.ts";
import type { AuditSink } from "../config/audit-sink.ts";
import type { Settings } from "../config/settings.ts";
import type { Tx } from "../db/database.ts";
import { findHead, type Head } from "./queries.ts";

/** As `audit head` prints it. The proof is a MAC under the vault's audit key: no other party can make one. */
type SignedHead = { readonly head: string; readonly proof: string; readonly at: string };

export function signedHead({ place, hash, proof }: Head, now: Instant): SignedHead {
  return { head: `${place}:${hex(hash)}`, proof: hex(proof), at: toIso(now) };
}

/** The place of the head that this process shipped last, by the database that it is of. */
const shipped = new WeakMap<Tx, number>();

type Parts = { readonly db: Tx; readonly now: () => Instant; readonly settings: Pick<Settings, "auditSink"> };

/** Ships the head if it has moved since this node shipped it. */
export async function shipHead({ db, now, settings }: Parts): Promise<void> {
  const sink = settings.auditSink;
  if (sink === undefined) return;
  const head = await findHead(db);
  if (head === undefined || head.place === shipped.get(db)) return;
  await ship(sink, JSON.stringify(signedHead(head, now())), now());
  shipped.set(db, head.place);
}

async function ship(sink: AuditSink, line: string, now: Instant): Promise<void> {
  if (sink.kind === "file") return appendFile(sink.path, `${line}\n`, { mode: 0o600 });
  // RFC 5424: facility 13 (log audit), severity 5 (notice).
  const message = `<109>1 ${toIso(now)} ${hostname()} tidegate ${process.pid} audit-head - ${line}`;
  const socket = createSocket(sink.host.includes(":") ? "udp6" : "udp4");
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.send(message, sink.port, sink.host, (error) => (error === null ? resolve() : reject(error)));
    });
  } finally {
    socket.close();
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
