import { Counter, Histogram, Registry } from "prom-client";
import { AUTHENTICATION_STATUSES, type AuthenticationStatus } from "../../kernel/authentication-status.ts";
import { MODES, type Mode } from "../../kernel/mode.ts";
import { SOURCES, type Source } from "../../kernel/source.ts";
import { WALLETS } from "../../kernel/wallets.ts";

/** Sources with a call to the acquirer: only such a call can end without an answer. */
const CARD_SOURCES = ["card", ...WALLETS] as const satisfies readonly Source[];

const ANSWERS = ["approved", "declined"] as const;
type BankAnswer = (typeof ANSWERS)[number];

const ACQUIRER_ANSWERS = ["approved", "declined", "accepted", "not_received", "unknown"] as const;

const FLOWS = ["frictionless", "challenge"] as const;

const CARD_TESTING_STEPS = ["slow_down", "three_d_secure", "refuse"] as const;
type CardTestingStep = (typeof CARD_TESTING_STEPS)[number];

/** What a stored number is used for. */
const VAULT_PURPOSES = ["charge", "debit", "refund", "capture", "void", "reversal"] as const;
export type VaultPurpose = (typeof VAULT_PURPOSES)[number];

/** What protects stored numbers and can fail. */
const CONTROLS = ["number", "audit_chain", "key_service"] as const;
type Control = (typeof CONTROLS)[number];

/** Whose payment it was. Nothing here is a merchant or an amount: the number of series is fixed. */
export type PaymentKind = { readonly mode: Mode; readonly source: Source };

/** What this process did with payments. The verb that commits a change counts it, after the commit. */
export type PaymentMetrics = {
  readonly ended: (payment: PaymentKind, status: BankAnswer | "returned") => void;
  /** Also counted as ended: the outcome was unknown, and the recovery found it. */
  readonly recovered: (payment: PaymentKind, status: BankAnswer) => void;
  /** The acquirer was called, and its answer is not known or could not be written down. */
  readonly unknown: (payment: PaymentKind) => void;
  readonly refunded: (payment: PaymentKind, status: BankAnswer) => void;
  readonly authenticated: (mode: Mode, flow: (typeof FLOWS)[number], outcome: AuthenticationStatus) => void;
  /** How an attempt was treated because of the declines before it. */
  readonly cardTesting: (step: CardTestingStep) => void;
  /** A stored number was decrypted for one call. */
  readonly vaultUsed: (purpose: VaultPurpose) => void;
  /** A merchant used more numbers within a minute than the limit allows. */
  readonly vaultLimited: (answer: "refused" | "delayed") => void;
  /** A stored number can't be read, the end of the audit log was changed, or the key service does not work. */
  readonly controlFailed: (control: Control) => void;
  /** A browser reported that the policy of a payment page blocked something. */
  readonly pageReport: (outcome: "stored" | "dropped") => void;
  /** Starts the timer of a call to the acquirer; the returned function ends it, on an answer or a timeout. */
  readonly callAcquirer: (call: AcquirerCall) => (answer: AcquirerAnswer) => void;
};

export type AcquirerCall = {
  readonly mode: Mode;
  /** The acquirer account's id; `sandbox` for the simulator. The operator creates accounts, so they are few. */
  readonly account: string;
  readonly connector: string;
};

type AcquirerAnswer = (typeof ACQUIRER_ANSWERS)[number];

/** The default is a registry that is never read: for commands, which end before a scrape could read it. */
export function createPaymentMetrics(registry = new Registry()): PaymentMetrics {
  const registers = [registry];
  const payments = new Counter({
    name: "tidegate_payments_total",
    help: "Payments that this process brought to an end; returned: a debit that came back after its approval.",
    labelNames: ["mode", "source", "status"],
    registers,
  });
  const recovered = new Counter({
    name: "tidegate_payments_recovered_total",
    help: "Of these, the ones whose outcome was not known and was found by an inquiry at the acquirer.",
    labelNames: ["mode", "source", "status"],
    registers,
  });
  const unknown = new Counter({
    name: "tidegate_payments_unknown_total",
    help: "Payments that are pending until they are recovered: no answer of the acquirer, or none written down.",
    labelNames: ["mode", "source"],
    registers,
  });
  const refunds = new Counter({
    name: "tidegate_refunds_total",
    help: "Refunds that this process brought to an end, by the source of the refunded payment.",
    labelNames: ["mode", "source", "status"],
    registers,
  });
  const authentications = new Counter({
    name: "tidegate_three_d_secure_total",
    help: "Authentications by 3D Secure; abandoned: the payer left the challenge.",
    labelNames: ["mode", "flow", "outcome"],
    registers,
  });
  const calls = new Histogram({
    name: "tidegate_acquirer_seconds",
    help: "Time until the acquirer answered a payment; one that stays silent is given up after 15 seconds.",
    labelNames: ["mode"],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 12, 16],
    registers,
  });
  const answers = new Counter({
    name: "tidegate_acquirer_answers_total",
    help: "Answers to payments by acquirer account; unknown: the payment is reversed or inquired about.",
    labelNames: ["mode", "account", "connector", "answer"],
    registers,
  });
  const accountCalls = new Histogram({
    name: "tidegate_acquirer_account_seconds",
    help: "Time until an acquirer account answered a payment.",
    labelNames: ["mode", "account", "connector"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 15, 30],
    registers,
  });
  const started = new Set<string>();
  /** Every answer of an account starts at 0: without its approvals, an approval rate of 0 would be none at all. */
  const startAccount = (call: AcquirerCall) => {
    if (started.has(call.account)) return;
    started.add(call.account);
    for (const answer of ACQUIRER_ANSWERS) answers.inc({ ...call, answer }, 0);
    accountCalls.zero(call);
  };
  startAccount({ mode: "sandbox", account: "sandbox", connector: "sandbox" });
  const cardTesting = new Counter({
    name: "tidegate_card_testing_total",
    help: "Attempts that were slowed down, authenticated by 3D Secure or refused because of the declines before them.",
    labelNames: ["step"],
    registers,
  });
  const vaultUses = new Counter({
    name: "tidegate_vault_uses_total",
    help: "Stored numbers that this process decrypted for one call, by purpose.",
    labelNames: ["purpose"],
    registers,
  });
  const vaultLimited = new Counter({
    name: "tidegate_vault_limited_total",
    help: "Uses of stored numbers beyond TIDEGATE_VAULT_USES_PER_MINUTE: charges are refused, other work is delayed.",
    labelNames: ["answer"],
    registers,
  });
  const controlFailures = new Counter({
    name: "tidegate_control_failures_total",
    help: "Failures of what protects stored numbers: one is unreadable, the audit log's end was changed, no key service.",
    labelNames: ["control"],
    registers,
  });
  const pageReports = new Counter({
    name: "tidegate_page_reports_total",
    help: "Reports of browsers about payment pages; dropped: too many within a second, or of too many kinds.",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["stored", "dropped"]) pageReports.inc({ outcome }, 0);
  for (const purpose of VAULT_PURPOSES) vaultUses.inc({ purpose }, 0);
  for (const answer of ["refused", "delayed"]) vaultLimited.inc({ answer }, 0);
  for (const control of CONTROLS) controlFailures.inc({ control }, 0);
  // Start at 0: a counter that appears with its first event hides that event from `increase()`.
  for (const mode of MODES) {
    for (const source of SOURCES) {
      for (const status of ANSWERS) {
        payments.inc({ mode, source, status }, 0);
        refunds.inc({ mode, source, status }, 0);
      }
    }
    for (const source of CARD_SOURCES) {
      unknown.inc({ mode, source }, 0);
      for (const status of ANSWERS) recovered.inc({ mode, source, status }, 0);
    }
    payments.inc({ mode, source: "direct_debit", status: "returned" }, 0);
    for (const flow of FLOWS) {
      for (const outcome of AUTHENTICATION_STATUSES) authentications.inc({ mode, flow, outcome }, 0);
    }
    calls.zero({ mode });
  }
  for (const step of CARD_TESTING_STEPS) cardTesting.inc({ step }, 0);
  return {
    ended: ({ mode, source }, status) => payments.inc({ mode, source, status }),
    recovered: ({ mode, source }, status) => recovered.inc({ mode, source, status }),
    unknown: ({ mode, source }) => unknown.inc({ mode, source }),
    refunded: ({ mode, source }, status) => refunds.inc({ mode, source, status }),
    authenticated: (mode, flow, outcome) => authentications.inc({ mode, flow, outcome }),
    vaultUsed: (purpose) => vaultUses.inc({ purpose }),
    vaultLimited: (answer) => vaultLimited.inc({ answer }),
    controlFailed: (control) => controlFailures.inc({ control }),
    pageReport: (outcome) => pageReports.inc({ outcome }),
    cardTesting: (step) => cardTesting.inc({ step }),
    callAcquirer: ({ mode, account, connector }) => {
      startAccount({ mode, account, connector });
      const stops = [calls.startTimer({ mode }), accountCalls.startTimer({ mode, account, connector })];
      return (answer) => {
        for (const stop of stops) stop();
        answers.inc({ mode, account, connector, answer });
      };
    },
  };
}
