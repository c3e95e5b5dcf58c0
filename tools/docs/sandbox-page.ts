import { CARD_SCENARIOS, type CardScenario } from "../../src/connectors/sandbox/card-scenarios.ts";
import {
  CREDIT_DECLINED,
  DEBIT_SCENARIOS,
  type DebitScenario,
} from "../../src/connectors/sandbox/debit-scenarios.ts";
import { WINNING_EVIDENCE } from "../../src/connectors/sandbox/dispute-scenarios.ts";
import { PAID_AUTOMATICALLY, REFUND_DECLINED } from "../../src/connectors/sandbox/payid-scenarios.ts";
import {
  THREE_D_SECURE_SCENARIOS,
  type ThreeDSecureScenario,
} from "../../src/connectors/sandbox/three-d-secure-scenarios.ts";
import { OUTCOMES, type OutcomeName } from "../../src/kernel/codes/outcomes.ts";
import { page, table } from "./markdown.ts";

export function sandboxPage(): string {
  const cards = [...CARD_SCENARIOS]
    .toSorted(([a], [b]) => a - b)
    .map(([amount, scenario]) => [`\`${amount}\``, scenarioText(scenario)]);
  return page(
    "Sandbox scenarios",
    "the table in [src/connectors/sandbox](../../src/connectors/sandbox/card-scenarios.ts)",
    [
      "The exact `payment.amount` selects the scenario. Any amount that is not listed is approved. Any card number that passes the Luhn check works; a card refund and a declined capture follow their own amount. A verification (amount 0) is approved, and with security code `000` declined: `D04405` do_not_honour.",
      "## Cards",
      table(["Amount", "What happens"], cards),
      "## 3D Secure",
      "Only on payment requests with `authenticationType` `3d_secure`.",
      table(
        ["Amount", "What happens"],
        [
          ...[...THREE_D_SECURE_SCENARIOS].map(([amount, scenario]) => [
            `\`${amount}\``,
            threeDSecureText(scenario),
          ]),
          ["any other", "authenticated without a challenge"],
        ],
      ),
      "## PayID",
      "A PayID request waits for a transfer: `POST /sandbox/payid/transfers`, or by hand on the bank app at `{hosted_url}/sandbox/bankapp/{paymentRequestId}?payId={email}`.",
      table(
        ["Amount", "What happens"],
        [
          [
            `\`${PAID_AUTOMATICALLY}\``,
            "a request of this amount is paid automatically after the settlement delay",
          ],
          [`\`${REFUND_DECLINED}\``, `a refund of this amount is declined: ${outcomeText("declined")}`],
        ],
      ),
      "## Direct debit",
      "A debit is `pending`; its outcome comes one settlement delay (`TIDEGATE_SANDBOX_SETTLEMENT_SECONDS`) later on the merchant's clock, or with `POST /sandbox/settlements/run`.",
      table(
        ["Amount", "What happens"],
        [
          ...[...DEBIT_SCENARIOS].map(([amount, scenario]) => [`\`${amount}\``, debitText(scenario)]),
          ["any other", `approved: ${outcomeText("approved")}`],
          [`a refund of \`${CREDIT_DECLINED}\``, `the refund is declined: ${outcomeText("declined")}`],
        ],
      ),
    ],
  );
}

function scenarioText(scenario: CardScenario): string {
  switch (scenario.does) {
    case "approve":
      return `approved: ${outcomeText(scenario.code)}`;
    case "approvePart":
      return `approved for ${scenario.amount} only: reversed and declined (${outcomeText("partial_approval_refused")}); with \`partialApproval\` \`accept\` approved: ${outcomeText(scenario.code)}`;
    case "decline":
      return `declined: ${outcomeText(scenario.code)}`;
    case "declineFirst":
      return `the first attempt on a request is declined (${outcomeText(scenario.code)}), the next is approved`;
    case "approveSlowly":
      return `approved after ${scenario.seconds} seconds`;
    case "approveAndDrop":
      return "approved, but the connection breaks before the answer arrives: `pending`, then resolved by inquiry";
    case "approveAndDispute":
      return `approved, and one settlement delay later disputed; evidence \`${WINNING_EVIDENCE}\` wins, any other loses, one delay after it was sent`;
    case "beAway":
      return `the acquirer is unavailable: ${outcomeText("downstream_error")}`;
  }
}

function threeDSecureText(scenario: ThreeDSecureScenario): string {
  if (scenario.does === "challenge") return "a challenge is shown; the payer passes or fails it";
  if (scenario.does === "lookAtBrowser")
    return `the bank looks at the payer's browser for ${scenario.seconds} seconds, then authenticates without a challenge`;
  const declined = outcomeText("3d_secure_error");
  switch (scenario.status) {
    case "Y":
      return "authenticated without a challenge";
    case "A":
      return "attempted: the bank takes no part in 3D Secure; the payment goes on, unless the account's `threeDSecureAttempted` is `decline`";
    case "N":
      return `authentication fails: ${declined}`;
    case "U":
      return `unavailable: ${declined}; with the account's \`threeDSecureUnavailable\` \`proceed\` the payment goes on`;
    case "R":
      return `the bank rejects the authentication: ${declined}`;
  }
}

function debitText(scenario: DebitScenario): string {
  if (scenario.does === "decline") return `declined: ${outcomeText(scenario.code)}`;
  return scenario.does === "approve"
    ? `approved: ${outcomeText("approved")}`
    : `approved, and one more settlement delay later declined: ${outcomeText("returned")}`;
}

function outcomeText(code: OutcomeName): string {
  return `\`${OUTCOMES[code]}\` ${code}`;
}
