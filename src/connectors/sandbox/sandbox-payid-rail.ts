import { approve, type BankAnswer, decline, OUTCOMES } from "../../kernel/codes/outcomes.ts";
import type {
  PayIdPayers,
  PayIdRail,
  PayIdTransfer,
  RegistrationRequest,
  ReturnRequest,
} from "../ports/payid-rail.ts";
import type { Entry, Ledger } from "./ledger.ts";
import { PAID_BY_ITSELF, REFUND_DECLINED } from "./payid-scenarios.ts";

const APPROVED: BankAnswer = approve("approved");
const DECLINED: BankAnswer = decline("declined");

/** Somebody is to be reminded after the settlement delay that this registration pays by itself. */
export type PlanPayment = (registration: {
  readonly reference: string;
  readonly account: string;
}) => Promise<void>;

/**
 * The PayID rail of the sandbox, with its payers. Its book has one line per registration, release, transfer, return and
 * refund, each under the id that makes a repeat the same thing.
 */
export function createSandboxPayIdRail(
  ledger: Ledger,
  planPayment: PlanPayment,
): { readonly rail: PayIdRail; readonly payers: PayIdPayers } {
  async function register({ reference, payId, account, accountName, amount }: RegistrationRequest) {
    const facts = { account, accountName };
    const entry = await ledger.addOnce({ kind: "registration", reference, belongsTo: payId, amount, facts });
    // The line is taken by another registration, or by a release that came first.
    if (entry.belongsTo !== payId || entry.facts["account"] !== account) return DECLINED;
    if (amount === PAID_BY_ITSELF) await planPayment({ reference, account });
    return APPROVED;
  }

  async function release(reference: string): Promise<BankAnswer> {
    await ledger.addOnce({ kind: "registration", reference, belongsTo: null, amount: 0, facts: {} });
    await ledger.addOnce({ kind: "release", reference, belongsTo: reference, amount: 0, facts: {} });
    return APPROVED;
  }

  async function returnTransfer({ reference, transfer, amount }: ReturnRequest): Promise<BankAnswer> {
    const given = await ledger.find("transfer", transfer);
    if (given?.amount !== amount) return DECLINED;
    // Under the transfer's own id: whoever comes second finds that it went back.
    const facts = { by: reference };
    const entry = await ledger.addOnce({
      kind: "return",
      reference: transfer,
      belongsTo: transfer,
      amount,
      facts,
    });
    return entry.facts["by"] === reference ? APPROVED : DECLINED;
  }

  async function refund({ reference, transfer, amount }: ReturnRequest): Promise<BankAnswer> {
    const given = await ledger.find("transfer", transfer);
    const returned = await ledger.find("return", transfer);
    const fine = given !== undefined && returned === undefined && amount !== REFUND_DECLINED;
    const facts = { code: fine ? OUTCOMES.approved : OUTCOMES.declined };
    const entry = await ledger.addOnce({ kind: "refund", reference, belongsTo: transfer, amount, facts });
    return entry.facts["code"] === OUTCOMES.approved ? APPROVED : DECLINED;
  }

  async function pay({ message, payId, amount, payerName }: PayIdTransfer): Promise<PayIdTransfer> {
    const facts = payerName === undefined ? {} : { payerName };
    return transferOf(
      await ledger.addOnce({ kind: "transfer", reference: message, belongsTo: payId, amount, facts }),
    );
  }

  async function find(message: string): Promise<PayIdTransfer | undefined> {
    const entry = await ledger.find("transfer", message);
    return entry && transferOf(entry);
  }

  async function payByItself(reference: string): Promise<PayIdTransfer | undefined> {
    const registration = await ledger.find("registration", reference);
    if (registration?.amount !== PAID_BY_ITSELF || registration.belongsTo === null) return undefined;
    const message = `by itself to ${reference}`;
    const made = await find(message);
    if (made !== undefined || (await ledger.find("release", reference)) !== undefined) return made;
    const { belongsTo: payId, amount } = registration;
    return pay({ message, payId, amount, payerName: "SANDBOX PAYER" });
  }

  return { rail: { register, release, returnTransfer, refund }, payers: { pay, find, payByItself } };
}

function transferOf({ reference, belongsTo, amount, facts }: Entry): PayIdTransfer {
  const { payerName } = facts;
  return {
    message: reference,
    payId: belongsTo ?? "",
    amount,
    ...(payerName === undefined ? {} : { payerName }),
  };
}
