import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";

/**
 * Adyen's own OpenAPI descriptions (github.com/Adyen/adyen-openapi, MIT). They are not part of this repository. Set
 * ADYEN_DESCRIPTIONS to a folder with both files (empty: go without), or keep them in `shared/peers` beside the checkout or above it.
 */
const FILES = { checkout: "adyen-checkout-v71.json", webhooks: "adyen-webhooks-v1.json" } as const;

export const DESCRIPTIONS_MISSING =
  "Adyen's descriptions are not here: set ADYEN_DESCRIPTIONS to a folder with adyen-checkout-v71.json and adyen-webhooks-v1.json";

export type AdyenDescription = {
  /** What the description has against the body of a request; the path as it was called, without the base. */
  readonly requestProblems: (path: string, body: unknown) => readonly string[];
  readonly answerProblems: (path: string, status: number, body: unknown) => readonly string[];
  readonly notificationProblems: (eventCode: string, body: unknown) => readonly string[];
};

/** Undefined where the files are missing. */
export function findAdyenDescription(): AdyenDescription | undefined {
  const folder = findFolder();
  if (folder === undefined) return undefined;
  const checkout = validatorOf(join(folder, FILES.checkout));
  const webhooks = validatorOf(join(folder, FILES.webhooks));
  const content = ["content", "application/json", "schema"];
  return {
    requestProblems: (path, body) =>
      checkout(body, ["paths", template(path), "post", "requestBody", ...content]),
    answerProblems: (path, status, body) =>
      checkout(body, ["paths", template(path), "post", "responses", String(status), ...content]),
    notificationProblems: (eventCode, body) =>
      webhooks(body, ["webhooks", `/${eventCode}`, "post", "requestBody", ...content]),
  };
}

function template(path: string): string {
  return path.replace(
    /^\/payments\/[^/]+\/(captures|cancels|refunds|reversals)$/,
    "/payments/{paymentPspReference}/$1",
  );
}

function findFolder(): string | undefined {
  const named = process.env["ADYEN_DESCRIPTIONS"];
  if (named !== undefined) return named === "" ? undefined : named;
  const root = resolve(import.meta.dirname, "../..");
  const places = [1, 2, 3].map((levels) => resolve(root, "../".repeat(levels), "shared/peers"));
  return places.find((place) => place !== dirname(place) && existsSync(join(place, FILES.checkout)));
}

function validatorOf(file: string): (value: unknown, place: readonly string[]) => readonly string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(JSON.parse(readFileSync(file, "utf8")), "adyen");
  return (value, place) => {
    const pointer = place.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
    const validate = ajv.getSchema(`adyen#/${pointer.join("/")}`);
    if (validate === undefined) return [`nothing is described at ${place.join(" ")}`];
    void validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
  };
}
