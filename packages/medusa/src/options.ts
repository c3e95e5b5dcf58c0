import { MedusaError } from "@medusajs/framework/utils";
import { listOf } from "./words.ts";

const PAYMENT_METHODS = ["card", "apple_pay", "google_pay"] as const;

/** What `medusa-config.ts` sets for the provider. */
export type TidegateProviderOptions = {
  /** A merchant's API key. */
  readonly apiKey: string;
  /** The key that signs webhooks (`GET /webhooks/signingkey`); several while it is being replaced. */
  readonly webhookSigningKey: string | readonly string[];
  /** The URL of the gateway's API. Default: `http://localhost:4000`. */
  readonly baseUrl?: string | undefined;
  /** The gateway's origin for payers, which serves the checkout. Default: `http://localhost:4001`. */
  readonly hostedUrl?: string | undefined;
  /** Where the payer pays: in a frame of your storefront (default), or on the gateway's page. */
  readonly checkout?: "embedded" | "hosted" | undefined;
  /** `auto` (default) captures at once; `manual` waits for Medusa's capture. */
  readonly captureType?: "auto" | "manual" | undefined;
  /** Default: `["card"]`. */
  readonly paymentMethods?: readonly (typeof PAYMENT_METHODS)[number][] | undefined;
  readonly authenticationType?: "3d_secure" | undefined;
  /** How often a payer may try again after a decline, 1 to 3. Default: 3. */
  readonly attempts?: number | undefined;
  /** Shown to the payer. */
  readonly description?: string | undefined;
  /** Rounds amounts with fractions of a cent half up. By default they are refused. */
  readonly roundToCents?: boolean | undefined;
  /** Required for `hosted`. */
  readonly hostedPage?: HostedPageOptions | undefined;
};

export type HostedPageOptions = {
  /** `data:<mime>;base64,<data>` of a PNG, SVG or WebP image of at most 10,240 bytes. */
  readonly logo: string;
  readonly merchantName?: string | undefined;
  readonly resultPage?: "show" | "redirect" | "none" | undefined;
  /** `{session_id}` in it becomes the id of Medusa's payment session. */
  readonly redirectUrl?: string | undefined;
  /** `{session_id}` in it becomes the id of Medusa's payment session. */
  readonly cancelUrl?: string | undefined;
};

/** One line per option: whether a value is right, and what to write otherwise. */
const RULES: Readonly<Record<keyof TidegateProviderOptions, readonly [(value: unknown) => boolean, string]>> =
  {
    apiKey: [isText, "a merchant's API key"],
    webhookSigningKey: [isKeys, "the gateway's signing key for webhooks (GET /webhooks/signingkey)"],
    baseUrl: [optional(isUrl), "an http or https URL"],
    hostedUrl: [optional(isUrl), "an http or https URL"],
    checkout: [oneOf("embedded", "hosted"), '"embedded" or "hosted"'],
    captureType: [oneOf("auto", "manual"), '"auto" or "manual"'],
    paymentMethods: [
      optional(isMethods),
      `an array of ${listOf(PAYMENT_METHODS.map((method) => `"${method}"`))}`,
    ],
    authenticationType: [oneOf("3d_secure"), '"3d_secure"'],
    attempts: [oneOf(1, 2, 3), "1, 2 or 3"],
    description: [optional(isText), "a text"],
    roundToCents: [oneOf(true, false), "true or false"],
    hostedPage: [optional(isHostedPage), "an object with a logo"],
  };

/** Refuses wrong and unknown options when Medusa starts. No message contains a value: two of them are secrets. */
export function checkOptions(options: unknown): asserts options is TidegateProviderOptions {
  const given = (options ?? {}) as Readonly<Record<string, unknown>>;
  const wrong = Object.entries(RULES).flatMap(([name, [isRight, wanted]]) =>
    isRight(given[name]) ? [] : [`${name} must be ${wanted}`],
  );
  const unknown = Object.keys(given).filter((name) => !(name in RULES));
  const problems = [...wrong, ...unknown.map((name) => `${name} is no option of this provider`)];
  if (given["checkout"] === "hosted" && given["hostedPage"] === undefined) {
    problems.push('hostedPage is needed with checkout "hosted"');
  }
  if (problems.length > 0) {
    throw new MedusaError(MedusaError.Types.INVALID_DATA, `@tidegate/medusa: ${problems.join("; ")}`);
  }
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isUrl(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isKeys(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isText) : isText(value);
}

function isMethods(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(oneOf(...PAYMENT_METHODS));
}

function isHostedPage(value: unknown): boolean {
  return typeof value === "object" && value !== null && "logo" in value && isText(value.logo);
}

function optional(isRight: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || isRight(value);
}

function oneOf(...values: readonly unknown[]): (value: unknown) => boolean {
  return (value) => value === undefined || values.includes(value);
}
