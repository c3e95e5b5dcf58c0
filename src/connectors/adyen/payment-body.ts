import { defined } from "../../kernel/defined.ts";
import type { AuthorisationRequest, CardDetails } from "../ports/card-acquirer.ts";
import type { AuthenticationData } from "../ports/three-d-secure.ts";
import { billingAddressOf } from "./billing-address.ts";

export type PaymentPlace = {
  readonly merchantAccount: string;
  /** Adyen requires it. Only redirects use it, and we start none. */
  readonly returnUrl: string;
};

/** The body of `POST /payments`. Amount 0 checks the card and takes nothing. */
export function paymentBody(request: AuthorisationRequest, place: PaymentPlace): object {
  const { amount, surcharge, currency, payer, card } = request;
  const interaction = interactionOf(request);
  return defined({
    merchantAccount: place.merchantAccount,
    returnUrl: place.returnUrl,
    reference: request.reference,
    merchantOrderReference: request.paymentRequestId ?? undefined,
    amount: { value: amount + surcharge, currency },
    surcharge: surcharge > 0 ? { value: surcharge } : undefined,
    paymentMethod: paymentMethodOf(card),
    mpiData: mpiDataOf(card, request.authentication),
    shopperInteraction: interaction,
    recurringProcessingModel: processingModelOf(request),
    // Adyen takes a processing model only together with this.
    shopperReference: request.storedCredential?.customerId,
    // Adyen would otherwise start 3D Secure by its own rules, and the payer has left our form.
    authenticationData: interaction === "Ecommerce" ? { attemptAuthentication: "never" } : undefined,
    captureDelayHours: request.isCapturedAtOnce && amount > 0 ? 0 : undefined,
    shopperIP: payer?.ip,
    shopperEmail: payer?.email,
    billingAddress: payer?.address && billingAddressOf(payer.address),
    additionalData: additionalDataOf(request),
  });
}

function paymentMethodOf(card: CardDetails) {
  return defined({
    type: card.isNetworkToken ? "networkToken" : "scheme",
    number: card.number,
    expiryMonth: String(card.expiryMonth).padStart(2, "0"),
    expiryYear: String(card.expiryYear),
    cvc: card.securityCode,
    holderName: card.name,
  });
}

function interactionOf({
  origin,
  initiator,
  storedCredential,
}: AuthorisationRequest): "Ecommerce" | "ContAuth" | "Moto" {
  if (origin !== "internet") return "Moto";
  return initiator === "merchant" || storedCredential?.use === "subsequent" ? "ContAuth" : "Ecommerce";
}

/** A payer who pays again with a stored card is `CardOnFile`; the other two are for payments that the merchant starts. */
function processingModelOf({ initiator, storedCredential }: AuthorisationRequest) {
  if (storedCredential === undefined) return undefined;
  const { use, purpose } = storedCredential;
  if (purpose === "recurring") return "Subscription";
  return use === "subsequent" && initiator === "payer" ? "CardOnFile" : "UnscheduledCardOnFile";
}

function additionalDataOf({ amount, isCapturedAtOnce, storedCredential }: AuthorisationRequest) {
  const data = defined({
    manualCapture: isCapturedAtOnce || amount === 0 ? undefined : "true",
    networkTxReference: storedCredential?.networkTransactionId,
  });
  return Object.keys(data).length === 0 ? undefined : data;
}

function mpiDataOf(card: CardDetails, authentication: AuthenticationData | undefined) {
  if (card.cryptogram !== undefined)
    return defined({
      authenticationResponse: "Y",
      directoryResponse: "Y",
      tokenAuthenticationVerificationValue: card.cryptogram,
      eci: card.eci,
    });
  if (authentication === undefined) return undefined;
  const { status, eci, cavv, dsTransactionId, version } = authentication;
  return defined({
    authenticationResponse: status === "R" ? undefined : status,
    directoryResponse: status,
    eci,
    cavv,
    dsTransID: dsTransactionId,
    threeDSVersion: version,
  });
}
