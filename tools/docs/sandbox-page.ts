import {
  AUTHENTICATION_ASKS,
  AUTHENTICATION_FAILS,
  CARD_SCENARIOS,
  type CardScenario,
} from "../../src/connectors/sandbox/card-scenarios.ts";
import {
  CREDIT_DECLINED,
  DEBIT_SCENARIOS,
  type DebitScenario,
} from "../../src/connectors/sandbox/debit-scenarios.ts";
import { PAID_BY_ITSELF, REFUND_DECLINED } from "../../src/connectors/sandbox/payid-scenarios.ts";
import { OUTCOMES, type OutcomeName } from "../../src/kernel/codes/outcomes.ts";
import { page, table } from "./markdown.ts";

export function sandboxPage(): string {
  const cards = [...CARD_SCENARIOS]
    .toSorted(([a], [b]) => a - b)
    .map(([amount, scenario]) => [`\`${amount}\``, words(scenario)]);
  return page(
    "Sandbox scenarios",
    "the table in [src/connectors/sandbox](../../src/connectors/sandbox/card-scenarios.ts)",
    [
      "The sandbox is driven by the exact `payment.amount`. Any amount that is not listed is approved. Card numbers do not matter as long as they pass the Luhn check; a card refund goes by its own amount.",
      "## Cards",
      table(["Amount", "What happens"], cards),
      "## 3D Secure",
      "Only on payment requests with `authenticationType` `3d_secure`.",
      table(
        ["Amount", "What happens"],
        [
          [`\`${AUTHENTICATION_FAILS}\``, `authentication fails: ${said("3d_secure_error")}`],
          [`\`${AUTHENTICATION_ASKS}\``, "a challenge is shown; the payer passes or fails it"],
          ["any other", "authenticated without a challenge"],
        ],
      ),
      "## PayID",
      "A PayID request waits for a transfer: `POST /sandbox/payid/transfers`, or by hand on the bank app at `{hosted_url}/sandbox/bankapp`.",
      table(
        ["Amount", "What happens"],
        [
          [`\`${PAID_BY_ITSELF}\``, "a request of this amount is paid by itself after the settlement delay"],
          [`\`${REFUND_DECLINED}\``, `a refund of this amount is declined: ${said("declined")}`],
        ],
      ),
      "## Direct debit",
      "A debit is `pending`; its outcome comes one settlement delay (`TIDEGATE_SANDBOX_SETTLEMENT_SECONDS`) later on the merchant's clock, or with `POST /sandbox/settlements/run`.",
      table(
        ["Amount", "What happens"],
        [
          ...[...DEBIT_SCENARIOS].map(([amount, scenario]) => [`\`${amount}\``, debitWords(scenario)]),
          ["any other", `approved: ${said("approved")}`],
          [`a refund of \`${CREDIT_DECLINED}\``, `the refund is declined: ${said("declined")}`],
        ],
      ),
    ],
  );
}

function words(scenario: CardScenario): string {
  switch (scenario.does) {
    case "approve":
      return `approved: ${said(scenario.code)}`;
    case "decline":
      return `declined: ${said(scenario.code)}`;
    case "declineFirst":
      return `the first attempt on a request is declined (${said(scenario.code)}), the next is approved`;
    case "approveSlowly":
      return `approved after ${scenario.seconds} seconds`;
    case "approveAndDrop":
      return "approved, but the connection breaks before we hear of it: `pending`, then found by inquiry";
    case "beAway":
      return `the acquirer is away: ${said("downstream_error")}`;
  }
}

function debitWords(scenario: DebitScenario): string {
  if (scenario.does === "decline") return `declined: ${said(scenario.code)}`;
  return scenario.does === "approve"
    ? `approved: ${said("approved")}`
    : `approved, and one more settlement delay later declined: ${said("returned")}`;
}

function said(code: OutcomeName): string {
  return `\`${OUTCOMES[code]}\` ${code}`;
}
