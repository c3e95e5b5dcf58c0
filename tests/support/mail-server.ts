import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** A mail as the server received it. */
export type ReceivedMail = { readonly from: string; readonly to: readonly string[]; readonly source: string };

export type MailServer = {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** Answers instead of taking the mail; undefined takes it. */
  answer: (mail: ReceivedMail) => { readonly code: number; readonly words: string } | undefined;
  readonly stop: () => Promise<void>;
};

/** A real SMTP server on loopback. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, callback) => {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(parts).toString("utf8"),
        };
        const refusal = shown.answer(mail);
        if (refusal === undefined) received.push(mail);
        callback(refusal && Object.assign(new Error(refusal.words), { responseCode: refusal.code }));
      });
    },
  });
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const shown: MailServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    answer: () => undefined,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return shown;
}

/** The decoded text of one part of a mail. */
export function partOf({ source }: ReceivedMail, type: "text/plain" | "text/html"): string {
  const part = source.split(/^--.*$/m).find((one) => one.includes(`Content-Type: ${type}`)) ?? "";
  const [head = "", ...rest] = part.split(/\r?\n\r?\n/);
  const body = rest.join("\n\n");
  if (/base64/i.test(head)) return Buffer.from(body, "base64").toString("utf8");
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
