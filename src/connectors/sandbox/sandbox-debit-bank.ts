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
import type { CreditAsk, DebitAsk, DebitState, DirectDebitBank } from "../direct-debit-bank.ts";
import type { Book, Entry } from "./book.ts";
import { CREDIT_DECLINED, debitScenario } from "./debit-scenarios.ts";

/**
 * The bank of the sandbox. A debit settles one delay after it was asked for and, by its amount, returns one delay later.
 * Its books have a line for the debit, for its settlement, its return and each credit; of an account they know the last two
 * digits.
 */
export function createSandboxDebitBank(book: Book, delay: number): DirectDebitBank {
  async function accept(batch: string, ask: DebitAsk): Promise<void> {
    await book.addOnce({
      kind: "debit",
      reference: ask.reference,
      belongsTo: batch,
      amount: ask.amount,
      facts: {
        currency: ask.currency,
        askedAt: String(ask.askedAt),
        account: `…${ask.account.number.slice(-2)}`,
      },
    });
  }

  /** The line of the settlement; written by whoever looks first after its time. */
  async function settlementOf(debit: Entry, asOf: Instant): Promise<Entry | undefined> {
    const due = dueOf(debit, delay);
    return asOf < due ? book.find("settlement", debit.reference) : settle(debit, due);
  }

  async function settle(debit: Entry, at: Instant): Promise<Entry> {
    const scenario = debitScenario(debit.amount);
    const code = scenario.does === "decline" ? scenario.code : "approved";
    const facts = { code: OUTCOMES[code], settledAt: String(at) };
    return book.addOnce({
      kind: "settlement",
      reference: debit.reference,
      belongsTo: debit.reference,
      amount: debit.amount,
      facts,
    });
  }

  async function giveBack(debit: Entry): Promise<void> {
    const facts = { code: OUTCOMES.returned };
    await book.addOnce({
      kind: "return",
      reference: debit.reference,
      belongsTo: debit.reference,
      amount: debit.amount,
      facts,
    });
  }

  async function stateOf(reference: string, asOf: Instant): Promise<DebitState> {
    const debit = await book.find("debit", reference);
    if (debit === undefined) return { kind: "never_seen" };
    const settlement = await settlementOf(debit, asOf);
    if (settlement === undefined) return { kind: "processing", until: dueOf(debit, delay) };
    const code = codeOf(settlement);
    if (!isApproval(code)) return decline(code);
    const returnableUntil = later(instant(Number(settlement.facts["settledAt"])), delay);
    const returns = debitScenario(debit.amount).does === "approveAndReturn";
    if (returns && asOf >= returnableUntil) await giveBack(debit);
    if (returns && (await book.find("return", reference))) return { kind: "returned", code: "returned" };
    return { kind: "settled", code, returnableUntil };
  }

  async function credit(ask: CreditAsk): Promise<BankAnswer> {
    const entry = await book.addOnce({
      kind: "credit",
      reference: ask.reference,
      belongsTo: ask.debit,
      amount: ask.amount,
      facts: { code: OUTCOMES[await decideCredit(ask)] },
    });
    return answerWith(codeOf(entry));
  }

  /** Only what was taken, and has not gone back already, can be given back. */
  async function decideCredit(ask: CreditAsk): Promise<OutcomeName> {
    if (ask.amount === CREDIT_DECLINED) return "declined";
    const settlement = await book.find("settlement", ask.debit);
    const taken = settlement !== undefined && isApproval(codeOf(settlement)) ? settlement.amount : 0;
    const gone = (await book.listBelongingTo(ask.debit))
      .filter((entry) => entry.kind === "return" || (entry.kind === "credit" && isApproval(codeOf(entry))))
      .reduce((sum, { amount }) => sum + amount, 0);
    return gone + ask.amount <= taken ? "approved" : "declined";
  }

  return {
    submit: async ({ reference, debits }) => {
      for (const debit of debits) await accept(reference, debit);
    },
    read: async (references, asOf) => {
      const states: DebitState[] = [];
      for (const reference of references) states.push(await stateOf(reference, asOf));
      return states;
    },
    credit,
    hurry: async (reference, asOf) => {
      const debit = await book.find("debit", reference);
      if (debit === undefined) return;
      const { kind } = await stateOf(reference, asOf);
      if (kind === "processing") await settle(debit, asOf);
      if (kind === "settled" && debitScenario(debit.amount).does === "approveAndReturn")
        await giveBack(debit);
    },
  };
}

function dueOf(debit: Entry, delay: number): Instant {
  return later(instant(Number(debit.facts["askedAt"])), delay);
}

function codeOf(entry: Entry): OutcomeName {
  return outcomeOf(entry.facts["code"] ?? "");
}
