import { parseDate, parseDateTime } from "../../kernel/time.ts";
import { isCursor, placeOfAttempt } from "./cursors.ts";

/** One label of a host name after IDN encoding. */
const HOST_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const EMAIL_LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;

/** A text without halves of surrogate pairs. Of no interest to callers: few languages can even send one. */
export const WELL_FORMED = "well-formed";

/** The formats that a schema can name, each as a check of a text. */
export const FORMATS = {
  "date-time": (text: string) => parseDateTime(text) !== undefined,
  date: (text: string) => parseDate(text) !== undefined,
  email: isEmail,
  "web-url": isWebUrl,
  "return-url": isReturnUrl,
  origin: isOrigin,
  cursor: isCursor,
  "attempt-cursor": (text: string) => placeOfAttempt(text) !== undefined,
  [WELL_FORMED]: (text: string) => text.isWellFormed(),
} as const satisfies Record<string, (text: string) => boolean>;

function isEmail(text: string): boolean {
  const cut = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, cut), text.slice(cut + 1)];
  if (cut < 1 || text.length > 254 || local.length > 64) return false;
  const labels = domain.split(".");
  return EMAIL_LOCAL.test(local) && labels.length > 1 && labels.every((label) => HOST_LABEL.test(label));
}

/** Scheme, two slashes and a host, as written: a parser alone would repair `https:///host` and accept `https://@host`. */
const WEB_URL = /^https?:\/\/[^\s\\/?#@]+([/?#][^\s\\]*)?$/i;

/** An absolute http or https URL without credentials: safe to be shown as a link or loaded as an image. */
function isWebUrl(text: string): boolean {
  return WEB_URL.test(text) && !/[\p{Cc}\p{Cs}]/u.test(text) && URL.canParse(text);
}

/** Schemes that browsers, networks and systems have a meaning for; any other is an app's own. */
const NO_APP_SCHEMES = new Set(
  (
    "about android-app blob callto chrome chrome-extension chrome-untrusted cid content data devtools edge facetime " +
    "facetime-audio feed file filesystem ftp ftps geo gopher http https imap imaps intent irc ircs jar javascript ldap ldaps " +
    "livescript magnet mailto market mid mms mmsto mocha moz-extension news nfs nntp opera pop resource rtsp " +
    "safari-web-extension search-ms sftp sip sips smb sms smsto ssh tel telnet urn vbs vbscript view-source webcal ws wss xmpp"
  ).split(" "),
);

/** Those of Windows begin with `ms-`. */
const isNoAppScheme = (scheme: string) => NO_APP_SCHEMES.has(scheme) || scheme.startsWith("ms-");

const APP_URL = /^([a-z][a-z0-9+.-]*):\/\/[^\s\\]*$/i;

/** Where a payer goes back to: a web URL, or a URL of the merchant's app (`myapp://…`, always with `://`). */
function isReturnUrl(text: string): boolean {
  if (isWebUrl(text)) return true;
  const scheme = APP_URL.exec(text)?.[1]?.toLowerCase();
  return (
    scheme !== undefined && !isNoAppScheme(scheme) && !/[\p{Cc}\p{Cs}]/u.test(text) && URL.canParse(text)
  );
}

/** Stands in a policy of ours (`frame-ancestors`), so it is one plain host: no wildcard, no sign that ends a directive. */
function isOrigin(text: string): boolean {
  const url = isWebUrl(text) ? URL.parse(text) : null;
  if (url?.origin !== text) return false;
  return url.hostname.startsWith("[") || url.hostname.split(".").every((label) => HOST_LABEL.test(label));
}
