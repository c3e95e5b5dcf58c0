import { isObject, jsonIn } from "../../kernel/json.ts";

const PAGES = ["hosted_page", "checkout_frame", "bank_page", "other"] as const;

/** What a browser blocked on a page of ours, reduced to what can't hold a secret: no path, no query, no text of a page. */
export type PageReport = {
  readonly page: (typeof PAGES)[number];
  /** The directive of the policy, such as `script-src-elem`. */
  readonly directive: string;
  /** An origin, a scheme, or one of the browser's words such as `inline`. */
  readonly blocked: string;
  /** The origin of the script that tried it; `self` for ours. */
  readonly source: string;
};

/** One body holds at most so many; the rest is not read. */
const MOST_REPORTS = 20;

const DIRECTIVES: readonly string[] = [
  ...["script-src", "script-src-elem", "script-src-attr", "style-src", "style-src-elem", "style-src-attr"],
  ...[
    "img-src",
    "connect-src",
    "frame-src",
    "font-src",
    "media-src",
    "object-src",
    "worker-src",
    "child-src",
  ],
  ...[
    "manifest-src",
    "default-src",
    "form-action",
    "base-uri",
    "frame-ancestors",
    "require-trusted-types-for",
  ],
];
const WORDS: readonly string[] = ["inline", "eval", "wasm-eval", "self", "trusted-types-policy"];

/**
 * The reports in a body, of either form that browsers send (`report-uri` and `report-to`), about pages of this origin.
 * Everything else is left out: any program can post here.
 */
export function reportsIn(text: string, origin: string): readonly PageReport[] {
  const body = jsonIn(text);
  const entries = Array.isArray(body) ? body.slice(0, MOST_REPORTS) : [body];
  return entries.flatMap((entry) => {
    const fields = fieldsOf(entry);
    const page = URL.parse(textIn(fields, "documentURL", "document-uri"));
    if (page === null || page.origin !== origin) return [];
    const named = textIn(fields, "effectiveDirective", "effective-directive", "violated-directive");
    const [directive = ""] = named.split(" ");
    if (!DIRECTIVES.includes(directive)) return [];
    return [
      {
        page: kindOf(page.pathname),
        directive,
        blocked: placeOf(textIn(fields, "blockedURL", "blocked-uri"), origin),
        source: placeOf(textIn(fields, "sourceFile", "source-file"), origin),
      },
    ];
  });
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(entry: unknown): Fields {
  if (!isObject(entry)) return {};
  const old = entry["csp-report"];
  if (isObject(old)) return old;
  return entry["type"] === "csp-violation" && isObject(entry["body"]) ? entry["body"] : {};
}

function textIn(fields: Fields, ...names: readonly string[]): string {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value === "string") return value;
  }
  return "";
}

function kindOf(path: string): PageReport["page"] {
  if (path.startsWith("/pay/")) return "hosted_page";
  if (/^\/(sandbox|checkout\/3ds)\//.test(path)) return "bank_page";
  return path.startsWith("/checkout/") ? "checkout_frame" : "other";
}

/** Names can carry what was stolen, too (`4111….evil.example`), so runs of digits are masked. */
function placeOf(text: string, origin: string): string {
  if (text === "") return "none";
  if (WORDS.includes(text)) return text;
  const url = URL.parse(text);
  if (url === null) return /^[a-z][a-z-]{0,30}$/.test(text) ? `${text}:` : "other";
  if (url.origin === origin) return "self";
  const place = /^(https?|wss?):$/.test(url.protocol) ? `${url.protocol}//${url.host}` : url.protocol;
  return place.replace(/\d[\d.-]{6,}\d/g, "#").slice(0, 100);
}
