import type { WalletWords } from "../../src/kernel/languages/catalogue.ts";
import type { Wallet } from "../../src/kernel/wallets.ts";
import type { SheetOutcome } from "../paying/pay-controls.ts";
import type { WalletHost } from "../paying/wallet-host.ts";
import type { WalletSettings } from "./settings.ts";

export type SheetContext = {
  readonly words: WalletWords;
  readonly type: Wallet;
  readonly host: WalletHost;
  readonly settings: WalletSettings;
};

/** The wallet's payload, which only the gateway can read, and the total that the payer saw. */
type SheetPayment = {
  readonly token: unknown;
  readonly total: number;
  readonly cardType: string;
  /** Shows the outcome in a sheet that is still open. */
  readonly onOutcome: (outcome: SheetOutcome) => void;
};

/** `cancelled`: by the payer. `failed`: the sheet did not work. Neither charges the payer. */
export type SheetResult = SheetPayment | "cancelled" | "failed";
