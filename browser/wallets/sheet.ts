import type { SheetOutcome } from "../paying/pay-controls.ts";
import type { WalletHost } from "../paying/wallet-host.ts";
import type { WalletType } from "../ui/wallet-names.ts";
import type { WalletSettings } from "./settings.ts";

export type SheetParts = {
  readonly type: WalletType;
  readonly host: WalletHost;
  readonly settings: WalletSettings;
};

/** What a payer chose in a wallet's sheet: a payload that only the gateway can read, for a total that was shown. */
type Chosen = {
  readonly token: unknown;
  readonly total: number;
  readonly cardType: string;
  /** For a sheet that is still open and waits for how it went. */
  readonly answered: (outcome: SheetOutcome) => void;
};

/** `cancelled`: the payer turned back. `failed`: the sheet could not do its work. Nothing is charged by either. */
export type SheetEnd = Chosen | "cancelled" | "failed";
