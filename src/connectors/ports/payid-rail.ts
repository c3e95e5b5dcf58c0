import type { BankAnswer } from "../../kernel/codes/outcomes.ts";
import type { Cents } from "../../kernel/money.ts";

export type RegistrationRequest = {
  /** Our payment request's id. The rail stores the registration under it. */
  readonly reference: string;
  /** The PayID as the payer types it. */
  readonly payId: string;
  /** Who receives the money: our merchant's id, and the name that bank apps show before the payer confirms. */
  readonly account: string;
  readonly accountName: string;
  /** What the payer has to pay. */
  readonly amount: Cents;
};

/** Money on its way back to its sender. */
export type ReturnRequest = {
  /** Our id of this operation. Repeating it moves no money twice. */
  readonly reference: string;
  /** The bank's own id of the transfer that brought the money. */
  readonly transfer: string;
  readonly amount: Cents;
};

/**
 * The rail that runs PayIDs for us: it accepts registrations, notifies us of transfers, and sends money back. Every call
 * may throw or hang: the caller treats both as `unknown` and repeats it with the same reference, which changes nothing
 * twice.
 */
export type PayIdRail = {
  /**
   * From now on, transfers to that PayID reach us. A registration belongs to its reference: a later one of the same PayID
   * stands beside it, and the PayID is reachable while one of them stands.
   */
  readonly register: (request: RegistrationRequest) => Promise<BankAnswer>;
  /** Ends that registration for good. One that has not arrived yet never takes effect. */
  readonly release: (reference: string) => Promise<BankAnswer>;
  /** Sends back all of a transfer that we did not accept. A transfer can be sent back once. */
  readonly returnTransfer: (request: ReturnRequest) => Promise<BankAnswer>;
  /** Pays the sender of a transfer that we accepted, all of it or a part. */
  readonly refund: (request: ReturnRequest) => Promise<BankAnswer>;
};

/** A transfer as the bank notifies us of it. Banks repeat their messages. */
export type PayIdTransfer = {
  /** The bank's own id of its message. */
  readonly message: string;
  readonly payId: string;
  readonly amount: Cents;
  readonly payerName?: string;
};
