import {
  answerWith,
  type BankAnswer,
  decline,
  isApproval,
  OUTCOMES,
  type OutcomeName,
  outcomeOf,
} from "../../kernel/codes/outcomes.ts";
import { type Instant, instant, later } from "../../kernel/time.ts";
import type { CreditRequest, DebitRequest, DebitState, DirectDebitBank } from "../ports/direct-debit-bank.ts";
import type { SandboxControls } from "../ports/sandbox-controls.ts";
import { CREDIT_DECLINED, debitScenario } from "./debit-scenarios.ts";
import type { Entry, Ledger } from "./ledger.ts";

/**
 * Simulates a bank that collects debits. A debit settles one delay after it was requested and, by its amount, returns one
 * delay later. The ledger has an entry for the debit, for its settlement, its return and each credit, and the last two
 * digits of the account.
 */
export function createSandboxDebitBank(
  ledger: Ledger,
  delay: number,
): { readonly bank: DirectDebitBank; readonly advance: SandboxControls["advanceDebit"] } {
  async function accept(batch: string, request: DebitRequest): Promise<void> {
    await ledger.addOnce({
      kind: "debit",
      reference: request.reference,
      belongsTo: batch,
      amount: request.amount,
      facts: {
        currency: request.currency,
        askedAt: String(request.requestedAt),
        account: `…${request.account.number.slice(-2)}`,
      },
    });
  }

  /** The entry of the settlement; the first read after its time writes it. */
  async function settlementOf(debit: Entry, asOf: Instant): Promise<Entry | undefined> {
    const due = dueOf(debit, delay);
    return asOf < due ? ledger.find("settlement", debit.reference) : settle(debit, due);
  }

  async function settle(debit: Entry, at: Instant): Promise<Entry> {
    const scenario = debitScenario(debit.amount);
    const code = scenario.does === "decline" ? scenario.code : "approved";
    const facts = { code: OUTCOMES[code], settledAt: String(at) };
    return ledger.addOnce({
      kind: "settlement",
      reference: debit.reference,
      belongsTo: debit.reference,
      amount: debit.amount,
      facts,
    });
  }

  async function returnDebit(debit: Entry): Promise<void> {
    const facts = { code: OUTCOMES.returned };
    await ledger.addOnce({
      kind: "return",
      reference: debit.reference,
      belongsTo: debit.reference,
      amount: debit.amount,
      facts,
    });
  }

  async function stateOf(reference: string, asOf: Instant): Promise<DebitState> {
    const debit = await ledger.find("debit", reference);
    if (debit === undefined) return { kind: "never_seen" };
    const settlement = await settlementOf(debit, asOf);
    if (settlement === undefined) return { kind: "processing", until: dueOf(debit, delay) };
    const code = codeOf(settlement);
    if (!isApproval(code)) return decline(code);
    const returnableUntil = later(instant(Number(settlement.facts["settledAt"])), delay);
    const returns = debitScenario(debit.amount).does === "approveAndReturn";
    if (returns && asOf >= returnableUntil) await returnDebit(debit);
    if (returns && (await ledger.find("return", reference))) return { kind: "returned", code: "returned" };
    return { kind: "settled", code, returnableUntil };
  }

  async function advance(reference: string, asOf: Instant): Promise<void> {
    const debit = await ledger.find("debit", reference);
    if (debit === undefined) return;
    const { kind } = await stateOf(reference, asOf);
    if (kind === "processing") await settle(debit, asOf);
    if (kind === "settled" && debitScenario(debit.amount).does === "approveAndReturn")
      await returnDebit(debit);
  }

  async function credit(request: CreditRequest): Promise<BankAnswer> {
    const entry = await ledger.addOnce({
      kind: "credit",
      reference: request.reference,
      belongsTo: request.debit,
      amount: request.amount,
      facts: { code: OUTCOMES[await decideCredit(request)] },
    });
    return answerWith(codeOf(entry));
  }

  /** Only money that was taken, and has not gone back already, can be returned. */
  async function decideCredit(request: CreditRequest): Promise<OutcomeName> {
    if (request.amount === CREDIT_DECLINED) return "declined";
    const settlement = await ledger.find("settlement", request.debit);
    const taken = settlement !== undefined && isApproval(codeOf(settlement)) ? settlement.amount : 0;
    const gone = (await ledger.listBelongingTo(request.debit))
      .filter((entry) => entry.kind === "return" || (entry.kind === "credit" && isApproval(codeOf(entry))))
      .reduce((sum, { amount }) => sum + amount, 0);
    return gone + request.amount <= taken ? "approved" : "declined";
  }

  const bank: DirectDebitBank = {
    submit: async ({ reference, debits }) => {
      for (const debit of debits) await accept(reference, debit);
    },
    read: async (references, asOf) => {
      const states: DebitState[] = [];
      for (const reference of references) states.push(await stateOf(reference, asOf));
      return states;
    },
    credit,
  };
  return { bank, advance };
}

function dueOf(debit: Entry, delay: number): Instant {
  return later(instant(Number(debit.facts["askedAt"])), delay);
}

function codeOf(entry: Entry): OutcomeName {
  return outcomeOf(entry.facts["code"] ?? "");
}
