import { isIP } from "node:net";
import { SECOND } from "../../kernel/time.ts";
import type { Settings } from "../config/settings.ts";

export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Unique and the same in every attempt, so that a mailbox can drop a repeat. */
  readonly id: string;
};

/** `refused`: the mail server does not take this mail, and never will. `unknown`: try again. */
export type MailOutcome =
  | { readonly kind: "sent" | "refused" }
  | { readonly kind: "unknown"; readonly problem: string };

export type Mailer = { readonly send: (mail: Mail) => Promise<MailOutcome> };

/** Shorter in sum than the lease of a job, so that no other node begins the same mail meanwhile. */
const TIMEOUTS = {
  connectionTimeout: 10 * SECOND,
  greetingTimeout: 10 * SECOND,
  socketTimeout: 15 * SECOND,
  dnsTimeout: 5 * SECOND,
};

/** Undefined while no mail server is set: then nothing is sent. */
export function createMailer({
  smtpUrl,
  mailFrom,
}: Pick<Settings, "smtpUrl" | "mailFrom">): Mailer | undefined {
  if (smtpUrl === undefined || mailFrom === undefined) return undefined;
  const options = { ...transportOptions(new URL(smtpUrl)), ...TIMEOUTS };
  return {
    send: async ({ id, ...mail }) => {
      // Loaded by the first mail only: most processes send none.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({ ...options, disableFileAccess: true, disableUrlAccess: true });
      try {
        await transport.sendMail({ ...mail, from: mailFrom, messageId: `<${id}@${domainOf(mailFrom)}>` });
        return { kind: "sent" };
      } catch (error) {
        return outcomeOf(error);
      } finally {
        transport.close();
      }
    },
  };
}

/** Credentials go over TLS only, unless the server is on this machine. */
export function transportOptions(url: URL): Readonly<Record<string, unknown>> {
  const secure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const user = decodeURIComponent(url.username);
  const isHere = host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
  return {
    host,
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ...(user === "" ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    ...(user === "" || secure || isHere ? {} : { requireTLS: true }),
  };
}

function domainOf(from: string): string {
  return /@([^@\s>]+)>?$/.exec(from)?.[1] ?? "localhost";
}

/** A server's 5xx about the mail itself is final. One about the sign-in is the operator's to fix, so the mail waits. */
function outcomeOf(error: unknown): MailOutcome {
  const { code, command, responseCode } = Object(error) as {
    readonly code?: unknown;
    readonly command?: unknown;
    readonly responseCode?: unknown;
  };
  const isAboutMail = code === "EENVELOPE" || code === "EMESSAGE";
  if (isAboutMail && typeof responseCode === "number" && responseCode >= 500) return { kind: "refused" };
  const words = [code, command, responseCode]
    .filter((one) => typeof one === "string" || typeof one === "number")
    .join(" ");
  return { kind: "unknown", problem: `the mail server did not take it: ${words || "no answer"}` };
}
