import type {
  AcquirerAnswer,
  AuthorisationRequest,
  CardAcquirer,
  InquiryAnswer,
  OriginalPayment,
} from "../../src/connectors/ports/card-acquirer.ts";
import type { AcquirerFacts } from "../../src/kernel/acquirer-facts.ts";
import { type Cents, cents } from "../../src/kernel/money.ts";

type Operation = { readonly reference: string; readonly transaction: string; readonly amount: Cents };

/** An acquirer by our references alone. */
export type DrivenAcquirer = {
  readonly authorise: (request: AuthorisationRequest) => Promise<AcquirerAnswer>;
  readonly verify: (request: AuthorisationRequest) => Promise<AcquirerAnswer>;
  readonly inquire: (reference: string) => Promise<InquiryAnswer>;
  readonly reverse: (reference: string) => Promise<AcquirerAnswer>;
  readonly void: (operation: Operation) => Promise<AcquirerAnswer>;
  readonly capture: (operation: Operation) => Promise<AcquirerAnswer>;
  readonly refund: (operation: Operation) => Promise<AcquirerAnswer>;
};

/** Keeps what the gateway keeps of a payment (what was approved, the facts, the card) and passes it with every operation. */
export function driveAcquirer(acquirer: CardAcquirer): DrivenAcquirer {
  const requests = new Map<string, AuthorisationRequest>();
  const facts = new Map<string, AcquirerFacts>();
  const approved = new Map<string, Cents>();
  const { signal } = new AbortController();

  function paymentOf(reference: string): OriginalPayment {
    const request = requests.get(reference);
    return {
      reference,
      amount: approved.get(reference) ?? cents((request?.amount ?? 0) + (request?.surcharge ?? 0)),
      currency: request?.currency ?? "AUD",
      isCaptured: request?.isCapturedAtOnce ?? true,
      origin: request?.origin ?? "internet",
      facts: facts.get(reference) ?? {},
      ...(request !== undefined && acquirer.needs.cardNumber ? { card: request.card } : {}),
    };
  }

  const noted = (reference: string, answer: AcquirerAnswer): AcquirerAnswer => {
    if ("facts" in answer && answer.facts !== undefined) facts.set(reference, answer.facts);
    if (answer.kind === "approved" && answer.approvedAmount !== undefined)
      approved.set(reference, answer.approvedAmount);
    return answer;
  };

  return {
    authorise: async (request) => {
      requests.set(request.reference, request);
      return noted(request.reference, await acquirer.authorise(request, signal));
    },
    verify: async (request) => noted(request.reference, await acquirer.verify(request, signal)),
    inquire: async (reference) =>
      acquirer.inquire === undefined ? { kind: "unknown" } : acquirer.inquire(reference, signal),
    reverse: (reference) => acquirer.reverse({ reference, payment: paymentOf(reference) }, signal),
    void: ({ transaction, ...rest }) => acquirer.void({ ...rest, payment: paymentOf(transaction) }, signal),
    capture: ({ transaction, ...rest }) =>
      acquirer.capture({ ...rest, payment: paymentOf(transaction), isFinal: true }, signal),
    refund: ({ transaction, ...rest }) =>
      acquirer.refund({ ...rest, payment: paymentOf(transaction) }, signal),
  };
}
