import { randomBytes, randomUUID } from "node:crypto";
import { CURRENCY_NUMBERS } from "../../../kernel/money.ts";
import { HOUR, later } from "../../../kernel/time.ts";
import type { Wallet } from "../../../kernel/wallets.ts";
import type { FakeCard, WalletSheetInput, WalletSimulator } from "../../ports/sandbox-controls.ts";

type TestCard = FakeCard & {
  /** The number of a device that does not exist. */
  readonly number: string;
  /** Whether it is on a device, with a cryptogram, or a number on file at Google. */
  readonly onDevice: boolean;
  readonly name?: string;
};

function testCard(card: Omit<TestCard, "last4">): TestCard {
  return { ...card, last4: card.number.slice(-4) };
}

const ON_DEVICE: readonly TestCard[] = [
  testCard({ id: "visa", cardType: "visa", label: "Visa", number: "4895370012003478", onDevice: true }),
  testCard({
    id: "mastercard",
    cardType: "mastercard",
    label: "Mastercard",
    number: "5186001700008785",
    onDevice: true,
    name: "SANDBOX CARDHOLDER",
  }),
  testCard({
    id: "amex",
    cardType: "amex",
    label: "American Express",
    number: "349956153016244",
    onDevice: true,
  }),
];

const NUMBER_ONLY = testCard({
  id: "visa_number_only",
  cardType: "visa",
  label: "Visa, number only",
  number: "4263970000005262",
  onDevice: false,
});

/** The test cards in the wallets of the sandbox. Google Pay has one without a device. */
export const SANDBOX_WALLET_CARDS: Readonly<Record<Wallet, readonly TestCard[]>> = {
  google_pay: [...ON_DEVICE, NUMBER_ONLY],
  apple_pay: ON_DEVICE,
};

/** The vendors' cryptography, with keys of the sandbox. */
export type VendorSigner = {
  readonly google: (message: string, request: WalletSheetInput) => Promise<string>;
  readonly apple: (message: string, request: WalletSheetInput) => Promise<object>;
};

const GOOGLE_TOKEN_LIFE = HOUR;

/** Simulates a payer's device: picks a card and gets a token for it. It charges nothing. */
export function createWalletSimulator(signer: VendorSigner): WalletSimulator {
  return {
    cardsOf: (wallet) =>
      SANDBOX_WALLET_CARDS[wallet].map(({ id, cardType, last4, label }) => ({ id, cardType, last4, label })),
    issue: async (request) => {
      const card = SANDBOX_WALLET_CARDS[request.wallet].find(({ id }) => id === request.card);
      if (card === undefined) return undefined;
      return { card, token: await ISSUE[request.wallet](signer, card, request) };
    },
  };
}

type Issue = (signer: VendorSigner, card: TestCard, request: WalletSheetInput) => Promise<string | object>;

const ISSUE: Readonly<Record<Wallet, Issue>> = {
  apple_pay: (signer, card, request) => signer.apple(appleMessage(card, request), request),
  google_pay: (signer, card, request) => signer.google(googleMessage(card, request), request),
};

function googleMessage(card: TestCard, { merchantId, now }: WalletSheetInput): string {
  return JSON.stringify({
    gatewayMerchantId: merchantId,
    messageExpiration: String(later(now, GOOGLE_TOKEN_LIFE)),
    messageId: randomUUID(),
    paymentMethod: "CARD",
    paymentMethodDetails: {
      pan: card.number,
      expirationMonth: 12,
      expirationYear: yearsAhead(now),
      authMethod: card.onDevice ? "CRYPTOGRAM_3DS" : "PAN_ONLY",
      ...(card.onDevice ? { cryptogram: cryptogram(), eciIndicator: eciOf(card) } : {}),
    },
  });
}

function appleMessage(card: TestCard, { total, currency, now }: WalletSheetInput): string {
  return JSON.stringify({
    applicationPrimaryAccountNumber: card.number,
    applicationExpirationDate: `${String(yearsAhead(now)).slice(-2)}1231`,
    currencyCode: CURRENCY_NUMBERS[currency],
    transactionAmount: total,
    cardholderName: card.name,
    deviceManufacturerIdentifier: "040010030273",
    paymentDataType: "3DSecure",
    paymentData: { onlinePaymentCryptogram: cryptogram(), eciIndicator: eciOf(card) },
  });
}

/** As long as the schemes' cryptograms. */
function cryptogram(): string {
  return randomBytes(20).toString("base64");
}

function eciOf({ cardType }: TestCard): string {
  return cardType === "mastercard" ? "02" : "05";
}

function yearsAhead(now: number): number {
  return new Date(now).getUTCFullYear() + 3;
}
