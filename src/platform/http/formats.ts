import { parseDate, parseDateTime } from "../../kernel/time.ts";

/** One label of a host name after IDN encoding. */
const HOST_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const EMAIL_LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;

/** The formats that a schema can name. Each says whether a text has it. */
export const FORMATS = {
  "date-time": (text: string) => parseDateTime(text) !== undefined,
  date: (text: string) => parseDate(text) !== undefined,
  email: isEmail,
  "web-url": isWebUrl,
  origin: isOrigin,
} as const satisfies Record<string, (text: string) => boolean>;

function isEmail(text: string): boolean {
  const cut = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, cut), text.slice(cut + 1)];
  if (cut < 1 || text.length > 254 || local.length > 64) return false;
  const labels = domain.split(".");
  return EMAIL_LOCAL.test(local) && labels.length > 1 && labels.every((label) => HOST_LABEL.test(label));
}

/** An absolute http or https URL without credentials: safe to be shown as a link or loaded as an image. */
function isWebUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || /[\p{Cc}\p{Cs}]/u.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.hostname !== "" && url.username === "" && url.password === "";
}

function isOrigin(text: string): boolean {
  return isWebUrl(text) && URL.parse(text)?.origin === text;
}
