import { credentialsProblem, optionalText, SettingProblem } from "./setting.ts";

export const MAIL_SETTINGS = {
  smtpUrl: optionalText({
    variable: "TIDEGATE_SMTP_URL",
    about:
      "Mail server for receipts to payers: `smtps://user:password@mail.example:465`, or `smtp://` with STARTTLS where the server offers it. Goes with the sender; set both on every node.",
    allowed: "an smtp:// or smtps:// URL with a host",
    standard: "none: no mail is sent",
    secret: true,
    problem: smtpProblem,
  }),
  mailFrom: optionalText({
    variable: "TIDEGATE_MAIL_FROM",
    about: "Sender of the receipts.",
    allowed: "an e-mail address, or a name and the address: `Corner Shop <pay@shop.example>`",
    standard: "none",
    problem: (text) =>
      /^(?:[^<>@"\p{Cc}]{1,100} <[^\s<>@"]+@[^\s<>@"]+>|[^\s<>@"]+@[^\s<>@"]+)$/u.test(text)
        ? undefined
        : "is not an e-mail address",
  }),
} as const;

/** A mail server needs a sender, and the other way round. */
export function checkMailSettings(
  values: Readonly<Record<keyof typeof MAIL_SETTINGS, string | undefined>>,
): void {
  if ((values.smtpUrl === undefined) === (values.mailFrom === undefined)) return;
  const both = [MAIL_SETTINGS.smtpUrl, MAIL_SETTINGS.mailFrom] as const;
  const [missing, given] = values.smtpUrl === undefined ? both : ([both[1], both[0]] as const);
  throw new SettingProblem(missing.variable, `is missing beside ${given.variable}`, missing.allowed);
}

function smtpProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:\/\/[^/]/i.test(text) || url.hostname === "")
    return "is not an smtp:// or smtps:// URL (a password with signs such as / or @ has to be percent-encoded)";
  if (!["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "") return "must have no path";
  if (url.port === "0") return "must have a port above 0";
  if (url.password !== "" && url.username === "") return "has a password without a user";
  return credentialsProblem(url);
}
