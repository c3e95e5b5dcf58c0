import type { Mode } from "../../kernel/mode.ts";
import type { Wallet } from "../../kernel/wallets.ts";
import type { AcquirerConnector } from "./acquirer-connector.ts";
import type { CardAcquirer } from "./card-acquirer.ts";
import type { DebitFiles } from "./debit-files.ts";
import type { DirectDebitBank } from "./direct-debit-bank.ts";
import type { PayIdRail } from "./payid-rail.ts";
import type { ThreeDSecure } from "./three-d-secure.ts";
import type { WalletConnectors } from "./wallets.ts";

/** What decides which connector serves a merchant. */
export type Served = { readonly mode: Mode };

/** Finds the connector that serves a merchant. A live merchant never reaches a simulator. */
export type Connectors = {
  /** The simulator, for sandbox merchants without an acquirer account. */
  readonly sandboxAcquirer: CardAcquirer;
  /** Undefined: this gateway has no acquirer connector of that name. */
  readonly findAcquirerConnector: (name: string) => AcquirerConnector | undefined;
  readonly acquirerConnectorNames: readonly string[];
  /** Refuses with `checkout_acquirer_missing`: without an acquirer there is nothing to authenticate for. */
  readonly getThreeDSecure: (merchant: Served) => ThreeDSecure;
  readonly findThreeDSecure: (merchant: Served) => ThreeDSecure | undefined;
  /** Undefined: the operator takes files to the bank. */
  readonly findDebitBank: (merchant: Served) => DirectDebitBank | undefined;
  readonly getDebitFiles: (merchant: Served) => DebitFiles;
  readonly findPayIdRail: (merchant: Served) => PayIdRail | undefined;
  /** Undefined: the operator has not set it up. */
  readonly findWallet: <Name extends Wallet>(
    merchant: Served,
    wallet: Name,
  ) => WalletConnectors[Name] | undefined;
};
