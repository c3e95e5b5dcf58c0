import type { CardType } from "../../kernel/card-type.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Currency } from "../../kernel/money.ts";
import type { CardAcquirer } from "./card-acquirer.ts";

/** The merchant whose payment is routed. */
export type RoutedMerchant = { readonly id: Id<"merchant">; readonly mode: Mode };

/** An acquirer that takes a merchant's payments. */
export type Acquirer = {
  /** Null: the simulator, for sandbox merchants without an account. */
  readonly accountId: Id<"acquirerAccount"> | null;
  /** The connector's name. */
  readonly connector: string;
  /** Empty: every currency. */
  readonly currencies: readonly Currency[];
  /** Empty: every card type. */
  readonly cardTypes: readonly CardType[];
  readonly host: CardAcquirer;
};

export type AcquirerLink = {
  readonly mode: Mode;
  readonly accountId: Id<"acquirerAccount">;
  readonly connector: string;
  readonly isUp: boolean;
};

/** Finds the acquirers of a merchant. A live merchant never reaches the simulator. */
export type Acquirers = {
  /** The merchant's active accounts in their order; for a sandbox merchant without any account, the simulator. */
  readonly listActive: (merchant: RoutedMerchant) => Promise<readonly Acquirer[]>;
  /** The acquirer of a payment on record, active or not. */
  readonly get: (merchant: RoutedMerchant, accountId: Id<"acquirerAccount"> | null) => Promise<Acquirer>;
  /** From now on, until `close`, the standing connections of all active accounts are open, also of those added later. */
  readonly keepConnected: () => void;
  /** The accounts with a standing connection in this process, and whether it is up. */
  readonly listLinks: () => Promise<readonly AcquirerLink[]>;
  /** Ends the connections to all hosts. */
  readonly close: () => Promise<void>;
};
