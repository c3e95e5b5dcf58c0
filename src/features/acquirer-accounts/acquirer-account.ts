import type { CardType } from "../../kernel/card-type.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Currency } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";

export type AccountStatus = "active" | "disabled";

export const lifecycle: Lifecycle<AccountStatus, "disable" | "enable"> = {
  active: { disable: "disabled" },
  disabled: { enable: "active" },
};

/** One merchant's contract with an acquirer. Its settings are sealed and stay in the database until it is opened. */
export type AcquirerAccount = {
  readonly id: Id<"acquirerAccount">;
  readonly merchantId: Id<"merchant">;
  /** The connector's name. */
  readonly connector: string;
  /** Empty: every currency. */
  readonly currencies: readonly Currency[];
  /** Empty: every card type. */
  readonly cardTypes: readonly CardType[];
  readonly status: AccountStatus;
  readonly sealedSettings: string;
  /** Its position among the merchant's accounts. */
  readonly place: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

const MOST_ACTIVE = 20;

export const NO_ROOM = `a merchant has at most ${MOST_ACTIVE} active acquirer accounts: disable one first`;

/** Whether one more may be active. Disabled ones do not count: no payment is routed among them. */
export function hasRoom(accounts: readonly AcquirerAccount[]): boolean {
  return accounts.filter(({ status }) => status === "active").length < MOST_ACTIVE;
}
