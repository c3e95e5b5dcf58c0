/** What an acquirer account says about Adyen. */
export type AdyenSettings = {
  readonly apiKey: string;
  readonly merchantAccount: string;
  /** Base URL of the Checkout API, without a slash at its end. */
  readonly endpoint: string;
  /** Adyen signs its notifications with it. */
  readonly webhookHmacKey: Uint8Array;
};

const NAMES = ["apiKey", "merchantAccount", "endpoint", "webhookHmacKey"] as const;
type Name = (typeof NAMES)[number];

/** Adyen creates keys of 32 bytes. Half of that is the least that cannot be guessed. */
const SHORTEST_HMAC_KEY = 32;
const LONGEST_NAME_SHOWN = 40;

/** What is wrong with the text of a setting. It goes to the operator's terminal, so it never quotes a secret. */
const CHECKS: Readonly<Record<Name, (text: string) => string | undefined>> = {
  apiKey: (text) =>
    /^[\x21-\x7e]{1,1024}$/.test(text)
      ? undefined
      : "is the API key of Adyen's Customer Area: 1 to 1024 characters without spaces",
  merchantAccount: (text) =>
    /^[\x21-\x7e]{1,80}$/.test(text)
      ? undefined
      : "is the name of the merchant account at Adyen: 1 to 80 characters without spaces",
  endpoint: endpointProblem,
  webhookHmacKey: (text) =>
    /^(?:[0-9a-f]{2})+$/i.test(text) && text.length >= SHORTEST_HMAC_KEY
      ? undefined
      : `is the HMAC key of the webhook: an even number of hexadecimal digits, at least ${SHORTEST_HMAC_KEY}`,
};

/** One line for each problem; none when the settings can be used. */
export function settingsProblems(settings: unknown): readonly string[] {
  if (typeof settings !== "object" || settings === null || Array.isArray(settings))
    return ["the settings of an Adyen account are one JSON object"];
  const given = settings as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).filter((name) => !(NAMES as readonly string[]).includes(name));
  return [
    ...NAMES.flatMap((name) => problemOf(name, Object.hasOwn(given, name) ? given[name] : undefined)),
    ...unknown.map(
      (name) => `${JSON.stringify(name.slice(0, LONGEST_NAME_SHOWN))} is not a setting of adyen`,
    ),
  ];
}

function problemOf(name: Name, value: unknown): readonly string[] {
  if (value === undefined) return [`${name} is missing`];
  if (typeof value !== "string") return [`${name} is a text`];
  const problem = CHECKS[name](value);
  return problem === undefined ? [] : [`${name} ${problem}`];
}

/** Settings that `settingsProblems` found nothing in. */
export function readSettings(settings: unknown): AdyenSettings {
  const [problem] = settingsProblems(settings);
  if (problem !== undefined) throw new Error(`settings of an Adyen account: ${problem}`);
  const { apiKey, merchantAccount, endpoint, webhookHmacKey } = settings as Readonly<Record<Name, string>>;
  return {
    apiKey,
    merchantAccount,
    endpoint: endpoint.replace(/\/+$/, ""),
    webhookHmacKey: Buffer.from(webhookHmacKey, "hex"),
  };
}

function endpointProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || /[\p{Cc}\s\\]/u.test(text)) return "is not a URL";
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname)))
    return "begins with https:// (http:// only for this machine)";
  if (url.username !== "" || url.password !== "") return "has no user name and no password in it";
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(text)) return "ends with its path, without ? and #";
  return undefined;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
