import { setting } from "./setting.ts";

/** Where heads of the audit log go beside the database, so that a log that was cut or put back is noticed. */
export type AuditSink =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "syslog"; readonly host: string; readonly port: number };

const SYSLOG_PORT = 514;

export const AUDIT_SINK = setting<AuditSink | undefined>({
  variable: "TIDEGATE_AUDIT_SINK",
  about:
    "Where the signed head of the audit log goes after every growth, one JSON line each. Keep it away from the database: `tidegate audit verify --head` then proves that nothing was cut off.",
  allowed: "file:/absolute/path, or syslog://host:port (UDP, RFC 5424)",
  standard: "none; `tidegate audit head` prints it",
  read: (text) => {
    const value = text === undefined ? undefined : parseSink(text);
    return text !== undefined && value === undefined ? { problem: "is not such a place" } : { value };
  },
});

/** Parses `file:/var/log/tidegate-heads` or `syslog://logs.example:514`; undefined for anything else. */
function parseSink(text: string): AuditSink | undefined {
  const [, path] = /^file:(\/.+)$/.exec(text) ?? [];
  if (path !== undefined) return { kind: "file", path };
  const url = /^syslog:\/\/[^\s/@?#]+$/.test(text) ? URL.parse(text) : null;
  if (url === null || url.port === "0") return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { kind: "syslog", host, port: url.port === "" ? SYSLOG_PORT : Number(url.port) };
}
