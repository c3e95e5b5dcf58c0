import { createHash } from "node:crypto";
import { defined } from "../../kernel/defined.ts";
import type {
  AuthenticationData,
  AuthenticationRequest,
  ChallengeStep,
  DoneStep,
  MethodCompletion,
  MethodStep,
  ThreeDSecure,
} from "../ports/three-d-secure.ts";
import { billingAddressOf } from "./billing-address.ts";
import type { Exchange } from "./exchange.ts";
import { base64Of, codeOf, type JsonObject, objectIn, objectOf, textOf } from "./read-json.ts";

/** One call to Adyen, with the part of its key that is not the payment's reference. */
export type AuthenticationCall = {
  readonly step: string;
  readonly reference: string;
  readonly path: "/payments" | "/payments/details";
  readonly body: object;
  readonly signal: AbortSignal;
  readonly secrets?: readonly string[];
};

/**
 * Adyen's native 3D Secure, without a payment: `/payments` with `authenticationOnly`, then `/payments/details`. The payment
 * follows by itself and carries the outcome. What Adyen cannot do, or answers strangely, is U: no money has moved.
 */
export function createThreeDSecure(
  send: (call: AuthenticationCall) => Promise<Exchange>,
  merchantAccount: string,
): ThreeDSecure {
  /** `threeDSResult` is what Adyen's own script would send: the outcome of the step and the token of the action. */
  async function details(
    reference: string,
    step: string,
    result: Readonly<Record<string, string | undefined>>,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> {
    const body = { details: { threeDSResult: base64Of(defined(result), "base64") } };
    return bodyOf(await send({ step, reference, path: "/payments/details", body, signal }));
  }

  async function authenticate(
    { reference, challengeIn }: AuthenticationRequest,
    { completion, state }: { readonly completion: MethodCompletion; readonly state?: string },
    signal: AbortSignal,
  ): Promise<ChallengeStep | DoneStep> {
    const result = { threeDSCompInd: completion, authorisationToken: state };
    const body = await details(reference, `method-${completion}`, result, signal);
    return challengeOf(body, challengeIn) ?? { kind: "done", data: dataOf(body) };
  }

  return {
    begin: async (request, signal) => {
      const { reference, methodNotificationUrl, card } = request;
      const body = authenticationBody(request, merchantAccount);
      const call = {
        step: "3ds",
        reference,
        path: "/payments",
        body,
        signal,
        secrets: [card.number],
      } as const;
      const answer = bodyOf(await send(call));
      const method = methodOf(answer, methodNotificationUrl);
      if (method === undefined)
        return challengeOf(answer, request.challengeIn) ?? { kind: "done", data: dataOf(answer) };
      if (method.kind === "method") return method;
      return authenticate(request, { completion: "U", ...method.state }, signal);
    },
    authenticate,
    resultOf: async (reference, { cres, state }, signal) => {
      const transStatus = cres && textOf(objectIn(Buffer.from(cres, "base64url")) ?? {}, "transStatus");
      if (cres === undefined || !transStatus || state === undefined) return "open";
      const step = `result-${createHash("sha256").update(cres).digest("base64url").slice(0, 12)}`;
      const body = await details(reference, step, { transStatus, authorisationToken: state }, signal);
      // The issuer has not reported an answer of the payer, so the message was not the issuer's.
      return body === undefined || codeOf(body, "refusalReasonCode") === NOT_REPORTED ? "open" : dataOf(body);
    },
  };
}

const NOT_REPORTED = "39";
const UNAVAILABLE: AuthenticationData = { status: "U" };

function bodyOf(exchange: Exchange): JsonObject | undefined {
  return exchange.outcome === "answered" && exchange.status === 200 ? exchange.body : undefined;
}

function authenticationBody(request: AuthenticationRequest, merchantAccount: string): object {
  const { reference, amount, surcharge, currency, card, browser, payer, challengeNotificationUrl } = request;
  return defined({
    merchantAccount,
    // Not the payment's own: notifications about this one must not settle that one.
    reference: `${reference}-3ds`,
    returnUrl: challengeNotificationUrl,
    origin: new URL(challengeNotificationUrl).origin,
    channel: "Web",
    shopperInteraction: "Ecommerce",
    shopperIP: browser.ipAddress,
    shopperEmail: payer?.email,
    billingAddress: payer?.address && billingAddressOf(payer.address),
    amount: { value: amount + surcharge, currency },
    paymentMethod: defined({
      type: "scheme",
      number: card.number,
      expiryMonth: String(card.expiryMonth).padStart(2, "0"),
      expiryYear: String(card.expiryYear),
      holderName: card.name,
    }),
    browserInfo: {
      acceptHeader: browser.acceptHeader,
      userAgent: browser.userAgent,
      language: browser.language,
      javaScriptEnabled: browser.javaScriptEnabled,
      // Adyen requires all of these. Without scripts they are unknown.
      javaEnabled: browser.javaEnabled ?? false,
      colorDepth: browser.colourDepth ?? 24,
      screenWidth: browser.screenWidth ?? 0,
      screenHeight: browser.screenHeight ?? 0,
      timeZoneOffset: browser.timeZoneOffset ?? 0,
    },
    authenticationData: {
      authenticationOnly: true,
      attemptAuthentication: "always",
      threeDSRequestData: {
        nativeThreeDS: "preferred",
        challengeWindowSize: WINDOW_SIZES[request.challengeIn],
      },
    },
    threeDS2RequestData: { notificationURL: challengeNotificationUrl },
  });
}

/** EMV 3DS: 500 by 600 pixels, and the full screen. */
const WINDOW_SIZES = { frame: "03", window: "05" } as const;

type Action = { readonly subtype: string; readonly token: JsonObject; readonly state: { state?: string } };

function actionOf(body: JsonObject | undefined): Action | undefined {
  const action = objectOf(body ?? {}, "action");
  const token = objectIn(Buffer.from(textOf(action, "token") ?? "", "base64"));
  if (textOf(action, "type") !== "threeDS2" || token === undefined) return undefined;
  const state = textOf(action, "authorisationToken");
  return { subtype: textOf(action, "subtype") ?? "", token, state: state === undefined ? {} : { state } };
}

/** The issuer's method step; `skipped` where nothing can run it. */
function methodOf(
  body: JsonObject | undefined,
  methodNotificationUrl: string | undefined,
): MethodStep | { readonly kind: "skipped"; readonly state: Action["state"] } | undefined {
  const action = actionOf(body);
  if (action?.subtype !== "fingerprint") return undefined;
  const url = secureUrl(action.token, "threeDSMethodURL");
  const threeDSServerTransID = textOf(action.token, "threeDSServerTransID");
  if (methodNotificationUrl === undefined || url === undefined || threeDSServerTransID === undefined)
    return { kind: "skipped", state: action.state };
  const data = { threeDSServerTransID, threeDSMethodNotificationURL: methodNotificationUrl };
  return {
    kind: "method",
    handover: { url, fields: { threeDSMethodData: base64Of(data) } },
    ...action.state,
  };
}

function challengeOf(
  body: JsonObject | undefined,
  challengeIn: AuthenticationRequest["challengeIn"],
): ChallengeStep | undefined {
  const action = actionOf(body);
  const url = action && secureUrl(action.token, "acsURL");
  if (action?.subtype !== "challenge" || url === undefined) return undefined;
  const creq = base64Of({
    messageType: "CReq",
    messageVersion: textOf(action.token, "messageVersion") ?? "2.2.0",
    threeDSServerTransID: textOf(action.token, "threeDSServerTransID"),
    acsTransID: textOf(action.token, "acsTransID"),
    challengeWindowSize: WINDOW_SIZES[challengeIn],
  });
  return { kind: "challenge", handover: { url, fields: { creq } }, ...action.state };
}

/** The payer's browser goes there. */
function secureUrl(token: JsonObject, name: string): string | undefined {
  const text = textOf(token, name);
  return text !== undefined && URL.parse(text)?.protocol === "https:" ? text : undefined;
}

function dataOf(body: JsonObject | undefined): AuthenticationData {
  const result = objectOf(body ?? {}, "threeDS2Result");
  const status = textOf(result, "transStatus");
  if (status !== "Y" && status !== "A" && status !== "N" && status !== "U" && status !== "R")
    return codeOf(body ?? {}, "refusalReasonCode") === "11" ? { status: "N" } : UNAVAILABLE;
  return defined({
    status,
    eci: textOf(result, "eci"),
    cavv: status === "Y" || status === "A" ? textOf(result, "authenticationValue") : undefined,
    dsTransactionId: textOf(result, "dsTransID"),
    version: textOf(result, "messageVersion"),
  });
}
