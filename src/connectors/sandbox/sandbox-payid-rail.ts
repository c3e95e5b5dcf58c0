import { approve, type BankAnswer, decline, OUTCOMES } from "../../kernel/codes/outcomes.ts";
import { defined } from "../../kernel/defined.ts";
import { cents } from "../../kernel/money.ts";
import type { PayIdRail, PayIdTransfer, RegistrationRequest, ReturnRequest } from "../ports/payid-rail.ts";
import type { PayIdPayers } from "../ports/sandbox-controls.ts";
import type { Entry, Ledger } from "./ledger.ts";
import { PAID_AUTOMATICALLY, REFUND_DECLINED } from "./payid-scenarios.ts";

const APPROVED: BankAnswer = approve("approved");
const DECLINED: BankAnswer = decline("declined");

/** Schedules the automatic payment to this registration, after the settlement delay. */
export type PlanPayment = (registration: {
  readonly reference: string;
  readonly account: string;
}) => Promise<void>;

/**
 * Simulates a PayID rail and its payers. The ledger has one entry per registration, release, transfer, return and refund,
 * each under the id that makes a repeated call the same one.
 */
export function createSandboxPayIdRail(
  ledger: Ledger,
  planPayment: PlanPayment,
): { readonly rail: PayIdRail; readonly payers: PayIdPayers } {
  async function register({ reference, payId, account, accountName, amount }: RegistrationRequest) {
    const facts = { account, accountName };
    const entry = await ledger.addOnce({ kind: "registration", reference, belongsTo: payId, amount, facts });
    // The reference belongs to another registration, or to a release that arrived first.
    if (entry.belongsTo !== payId || entry.facts["account"] !== account) return DECLINED;
    if (amount === PAID_AUTOMATICALLY) await planPayment({ reference, account });
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
    // Under the transfer's own id: a second return finds the first.
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
    const facts = defined({ payerName });
    return transferOf(
      await ledger.addOnce({ kind: "transfer", reference: message, belongsTo: payId, amount, facts }),
    );
  }

  async function find(message: string): Promise<PayIdTransfer | undefined> {
    const entry = await ledger.find("transfer", message);
    return entry && transferOf(entry);
  }

  async function payAutomatically(reference: string): Promise<PayIdTransfer | undefined> {
    const registration = await ledger.find("registration", reference);
    if (registration?.amount !== PAID_AUTOMATICALLY || registration.belongsTo === null) return undefined;
    // Stored in ledgers: another text would pay a second time.
    const message = `by itself to ${reference}`;
    const made = await find(message);
    if (made !== undefined || (await ledger.find("release", reference)) !== undefined) return made;
    const { belongsTo: payId, amount } = registration;
    return pay({ message, payId, amount: cents(amount), payerName: "SANDBOX PAYER" });
  }

  return { rail: { register, release, returnTransfer, refund }, payers: { pay, find, payAutomatically } };
}

function transferOf({ reference, belongsTo, amount, facts }: Entry): PayIdTransfer {
  const { payerName } = facts;
  return defined({ message: reference, payId: belongsTo ?? "", amount: cents(amount), payerName });
}
