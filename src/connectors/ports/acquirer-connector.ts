import type { TimeZone } from "../../kernel/country.ts";
import type { Id } from "../../kernel/ids.ts";
import type { CardAcquirer } from "./card-acquirer.ts";

/** One merchant's contract with an acquirer, opened for use. */
export type OpenAccount = {
  readonly id: Id<"acquirerAccount">;
  readonly merchantId: Id<"merchant">;
  /** The zone of local times in messages, asked for with each new one: the merchant's country may change. */
  readonly zone: () => Promise<TimeZone>;
  /** As `checkSettings` accepted them. */
  readonly settings: unknown;
};

/** A connector to acquirers, found by its name. An acquirer account says which one a merchant uses, and its settings. */
export type AcquirerConnector = {
  /** One line for each problem with the settings of an account; none when they are right. */
  readonly checkSettings: (settings: unknown) => Promise<readonly string[]>;
  /** The files with secret keys that settings name; other users of the machine must not be able to read them. */
  readonly keyFilesIn?: (settings: unknown) => readonly string[];
  /** Its hosts keep a standing connection, which the gateway opens before the first payment. */
  readonly isStanding?: true;
  /** Its accounts authenticate payers by 3D Secure. */
  readonly offersThreeDSecure?: true;
  /** Called once per account and process, and again after a change of the account. Opens no connection by itself. */
  readonly open: (account: OpenAccount) => CardAcquirer;
};
