import { refuse } from "../kernel/refusal.ts";
import type { AcquirerConnector } from "./ports/acquirer-connector.ts";
import type { CardAcquirer } from "./ports/card-acquirer.ts";
import type { Connectors, Served } from "./ports/connectors.ts";
import type { DebitFiles } from "./ports/debit-files.ts";
import type { DirectDebitBank } from "./ports/direct-debit-bank.ts";
import type { PayIdRail } from "./ports/payid-rail.ts";
import type { ThreeDSecure } from "./ports/three-d-secure.ts";
import type { WalletConnectors } from "./ports/wallets.ts";

/** A connector: the ports that it implements. */
export type Connector = Partial<WalletConnectors> & {
  /** Connects acquirer accounts, which name it. */
  readonly acquirer?: AcquirerConnector;
  readonly threeDSecure?: ThreeDSecure;
  readonly debitBank?: DirectDebitBank;
  readonly debitFiles?: DebitFiles;
  readonly payIdRail?: PayIdRail;
};

export type ConnectorName = "sandbox" | "bank-files" | "apple-pay" | "google-pay" | "iso8583" | "adyen";

/** The connectors of this installation, each under its name. One that the operator has not set up is absent. */
export type ConnectorTable = { readonly [Name in ConnectorName]?: Connector | undefined } & {
  readonly sandbox: Connector & { readonly cardAcquirer: CardAcquirer };
};

type Port = Exclude<keyof Connector, "acquirer">;
type LiveConnectorName = Exclude<ConnectorName, "sandbox">;

/** The name of the connector that serves a port. The type keeps the simulators away from live merchants. */
const SERVING: {
  readonly sandbox: Readonly<Record<Port, ConnectorName>>;
  readonly live: Readonly<Partial<Record<Port, LiveConnectorName>>>;
} = {
  sandbox: {
    threeDSecure: "sandbox",
    debitBank: "sandbox",
    debitFiles: "bank-files",
    payIdRail: "sandbox",
    apple_pay: "sandbox",
    google_pay: "sandbox",
  },
  live: { debitFiles: "bank-files", apple_pay: "apple-pay", google_pay: "google-pay" },
};

export function createRegistry(table: ConnectorTable): Connectors {
  const find = <P extends Port>({ mode }: Served, port: P): Connector[P] | undefined => {
    const name = SERVING[mode][port];
    return name && table[name]?.[port];
  };
  const acquirers = new Map(
    Object.entries(table).flatMap(([name, connector]) =>
      connector?.acquirer === undefined ? [] : [[name, connector.acquirer] as const],
    ),
  );
  return {
    sandboxAcquirer: table.sandbox.cardAcquirer,
    findAcquirerConnector: (name) => acquirers.get(name),
    acquirerConnectorNames: [...acquirers.keys()].sort(),
    getThreeDSecure: (merchant) => find(merchant, "threeDSecure") ?? refuse("checkout_acquirer_missing"),
    findThreeDSecure: (merchant) => find(merchant, "threeDSecure"),
    findDebitBank: (merchant) => find(merchant, "debitBank"),
    getDebitFiles: (merchant) => find(merchant, "debitFiles") ?? fail("no connector for debit files"),
    findPayIdRail: (merchant) => find(merchant, "payIdRail"),
    findWallet: (merchant, wallet) => {
      const name = SERVING[merchant.mode][wallet];
      const wallets: Partial<WalletConnectors> | undefined = name && table[name];
      return wallets?.[wallet];
    },
  };
}

/** Every installation has this connector, so its absence is a bug. */
function fail(message: string): never {
  throw new Error(message);
}
