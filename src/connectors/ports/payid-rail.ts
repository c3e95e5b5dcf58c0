import type { BankAnswer } from "../../kernel/codes/outcomes.ts";

export type RegistrationRequest = {
  /** Our payment request's id. The rail knows the registration by it. */
  readonly reference: string;
  /** The PayID as the payer types it. */
  readonly payId: string;
  /** Whose money it will be: our merchant's id, and the name that bank apps show before somebody pays. */
  readonly account: string;
  readonly accountName: string;
  /** What the payer is asked for. */
  readonly amount: number;
};

/** Money on its way back to whoever sent it. */
export type ReturnRequest = {
  /** Our id of this movement. Repeating it moves nothing twice. */
  readonly reference: string;
  /** The bank's own id of the transfer that brought the money. */
  readonly transfer: string;
  readonly amount: number;
};

/**
 * Whoever runs PayIDs for us: it takes our registrations, tells us of transfers, and sends money back. Every call may throw
 * or hang: the caller treats both as `unknown` and asks again with the same reference, which changes nothing twice.
 */
export type PayIdRail = {
  /**
   * Transfers to that PayID come to us from now on. A registration belongs to its reference: a later one of the same PayID
   * stands beside it, and the PayID is reachable while one of them stands.
   */
  readonly register: (request: RegistrationRequest) => Promise<BankAnswer>;
  /** Ends that registration for good. One that has not arrived yet is kept from ever standing. */
  readonly release: (reference: string) => Promise<BankAnswer>;
  /** Sends a whole transfer back that we did not accept. It can be sent back once, whoever asks. */
  readonly returnTransfer: (request: ReturnRequest) => Promise<BankAnswer>;
  /** Pays out to whoever made a transfer that we accepted, all of it or a part. */
  readonly refund: (request: ReturnRequest) => Promise<BankAnswer>;
};

/** A transfer as the bank tells us of it. Banks tell things more than once. */
export type PayIdTransfer = {
  /** The bank's own id of its message. */
  readonly message: string;
  readonly payId: string;
  readonly amount: number;
  readonly payerName?: string;
};

/** The payers of a place without real ones. */
export type PayIdPayers = {
  /** Somebody pays. The same message again is the same payment; gives the one that counts. */
  readonly pay: (transfer: PayIdTransfer) => Promise<PayIdTransfer>;
  /** A payment that was made. */
  readonly find: (message: string) => Promise<PayIdTransfer | undefined>;
  /** The payment that the sandbox makes by itself to that registration, while it stands; undefined when it makes none. */
  readonly payByItself: (reference: string) => Promise<PayIdTransfer | undefined>;
};
