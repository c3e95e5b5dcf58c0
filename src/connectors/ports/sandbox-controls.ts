import type { Cents, Currency } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";
import type { Wallet } from "../../kernel/wallets.ts";
import type { PayIdTransfer } from "./payid-rail.ts";

/** The payers of the sandbox who pay by PayID. */
export type PayIdPayers = {
  /** Makes a payment. The same message again is the same payment; returns the one that counts. */
  readonly pay: (transfer: PayIdTransfer) => Promise<PayIdTransfer>;
  /** Finds a payment that was made. */
  readonly find: (message: string) => Promise<PayIdTransfer | undefined>;
  /** Makes the automatic payment to that registration, while it stands; undefined when its amount has none. */
  readonly payAutomatically: (reference: string) => Promise<PayIdTransfer | undefined>;
};

export type Challenge = {
  readonly amount: Cents;
  /** The message about the answer, once the payer has given one. */
  readonly cres: string | undefined;
  /** The gateway's URL for that message. */
  readonly notificationUrl: string;
  /** The bank's page has the window to itself. */
  readonly isWindow: boolean;
};

/** The challenges of the sandbox's 3D Secure, and the payer's answers. */
export type SandboxChallenges = {
  readonly find: (challengeKey: string) => Promise<Challenge | undefined>;
  /** The first answer counts. False: there is no such challenge. */
  readonly answer: (challengeKey: string, hasPassed: boolean) => Promise<boolean>;
  /** Answers the challenge at the URL that `begin` returned. */
  readonly answerAt: (url: string, hasPassed: boolean) => Promise<boolean>;
};

/** A test card in a wallet of the sandbox. */
export type FakeCard = {
  readonly id: string;
  readonly cardType: string;
  readonly last4: string;
  readonly label: string;
};

export type WalletSheetInput = {
  readonly wallet: Wallet;
  readonly card: string;
  readonly total: Cents;
  readonly currency: Currency;
  readonly merchantId: string;
  readonly paymentRequestId: string;
  readonly now: Instant;
};

/** Simulates the vendors and the payer's device: real tokens for test cards. */
export type WalletSimulator = {
  readonly cardsOf: (wallet: Wallet) => readonly FakeCard[];
  /** Undefined when there is no such card. */
  readonly issue: (
    request: WalletSheetInput,
  ) => Promise<{ readonly card: FakeCard; readonly token: string | object } | undefined>;
};

/** Payers who dispute payments, and what their bank makes of the merchant's evidence. */
export type SandboxDisputes = {
  /** Why the payer disputes a payment of this amount; undefined when the payer does not. */
  readonly reasonOf: (amount: Cents) => string | undefined;
  readonly judge: (evidence: string) => "win" | "lose";
};

/** What the sandbox can do and no real bank, payer or vendor lets us do. For sandbox merchants only: its users check the mode. */
export type SandboxControls = {
  readonly payIdPayers: PayIdPayers;
  readonly challenges: SandboxChallenges;
  readonly wallets: WalletSimulator;
  readonly disputes: SandboxDisputes;
  /** What the debit waits for next happens now: a pending one settles, one that is to be returned is returned. */
  readonly advanceDebit: (reference: string, asOf: Instant) => Promise<void>;
};
