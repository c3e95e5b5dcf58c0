import { payOwnPayId } from "../features/incoming-transfers/index.ts";
import { createPaymentRequest } from "../features/payment-requests/index.ts";
import { advanceClock, payInSandbox, runSettlements } from "../features/sandbox/index.ts";
import { defined } from "../kernel/defined.ts";
import { requireId } from "../kernel/ids.ts";
import { MAX_CENTS, MIN_CENTS } from "../kernel/money.ts";
import { toIso } from "../kernel/time.ts";
import { type Context, clockOf } from "../platform/context.ts";
import { callerFor, chooseMerchant, MERCHANT_OPTION } from "./choose-merchant.ts";
import {
  type Command,
  type CommandOutput,
  choiceOf,
  numberOf,
  optionOf,
  type ParsedArguments,
  UsageProblem,
} from "./command.ts";
import { secondsOf } from "./duration.ts";

const AMOUNT = [MIN_CENTS, MAX_CENTS] as const;

export const SANDBOX_COMMANDS: readonly Command[] = [
  {
    name: "sandbox pay",
    about:
      "Simulate the payer of a payment request: card, hosted page or PayID. Without an id, creates a request first. The amount selects the outcome, see docs/generated/sandbox.md.",
    positional: "paymentRequestId",
    positionalOptional: true,
    options: {
      merchant: MERCHANT_OPTION,
      amount: {
        value: "cents",
        about: "Amount of the new request.",
        default: "3000",
        notWith: ["<paymentRequestId>"],
      },
      "3ds": { about: "The new request requires 3D Secure.", notWith: ["<paymentRequestId>"] },
      challenge: {
        value: "approve|fail",
        about: "The payer's answer to the 3D Secure challenge.",
        default: "approve",
      },
      card: {
        value: "number",
        about: "Any number that passes the Luhn check.",
        default: "4111111111111111",
      },
    },
    examples: [
      "sandbox pay --amount 14451",
      "sandbox pay pr_…",
      "sandbox pay --amount 14418 --3ds --challenge fail",
    ],
    run: payCommand,
  },
  {
    name: "sandbox transfer",
    about: "Simulate a payer's bank: transfer money to a PayID. Any other than the exact amount is returned.",
    positional: "payId",
    options: {
      merchant: MERCHANT_OPTION,
      amount: { value: "cents", about: "Amount of the transfer.", required: true },
      payer: { value: "name", about: "Name of the payer.", default: "Sandbox payer" },
    },
    examples: ["sandbox transfer order-1001@payid.tidegate.test --amount 3000"],
    run: async (ctx, args) => {
      const amount = numberOf(args, "amount", AMOUNT);
      const merchant = await chooseMerchant(ctx, args, "sandbox");
      const input = { payId: args.positionals[0] ?? "", amount, payerName: optionOf(args, "payer") };
      const { id, reason } = await payOwnPayId(ctx, callerFor(merchant), input);
      const status = reason === null ? "accepted" : "returned";
      return {
        json: defined({ id, status, reason: reason ?? undefined }),
        lines: [`Transfer  ${id}  ${status}${reason === null ? "" : `: ${reason}`}`],
      };
    },
  },
  {
    name: "sandbox settle",
    about: "Settle pending debits and refunds and create payouts now.",
    options: { merchant: MERCHANT_OPTION },
    examples: ["sandbox settle"],
    run: async (ctx, args) => {
      const merchant = await chooseMerchant(ctx, args, "sandbox");
      const settled = await runSettlements(ctx, callerFor(merchant));
      const { transactions, refunds, payouts } = settled;
      return {
        json: settled,
        lines: [`Settled  debits ${transactions}, refunds ${refunds}; payouts created ${payouts}`],
      };
    },
  },
  {
    name: "sandbox clock show",
    reads: true,
    about: "Show the time on a sandbox merchant's clock.",
    options: { merchant: MERCHANT_OPTION },
    examples: ["sandbox clock show"],
    run: async (ctx, args) => {
      const merchant = await chooseMerchant(ctx, args, "sandbox");
      const aheadSeconds = Math.round(merchant.clockOffset / 1_000);
      const currentDateTime = toIso(clockOf(ctx, merchant));
      return {
        json: { currentDateTime, aheadSeconds },
        lines: [
          `Clock  ${currentDateTime}  ${aheadSeconds === 0 ? "(real time)" : `(${aheadSeconds} s ahead)`}`,
        ],
      };
    },
  },
  {
    name: "sandbox clock advance",
    about: "Move a sandbox merchant's clock ahead, with all of its timed work. It can't go back.",
    positional: "duration",
    options: { merchant: MERCHANT_OPTION },
    examples: ["sandbox clock advance 90m", "sandbox clock advance 2d", "sandbox clock advance 3600"],
    run: async (ctx, args) => {
      const seconds = secondsOf(args.positionals[0] ?? "");
      if (seconds === undefined)
        throw new UsageProblem("<duration> must be from 1 second to 366 days, such as 3600, 90m, 12h or 2d");
      const merchant = await chooseMerchant(ctx, args, "sandbox");
      const currentDateTime = toIso(await advanceClock(ctx, callerFor(merchant), seconds));
      return { json: { currentDateTime }, lines: [`Clock  ${currentDateTime}`] };
    },
  },
];

async function payCommand(ctx: Context, args: ParsedArguments): Promise<CommandOutput> {
  const challenge = choiceOf(args, "challenge", ["approve", "fail"]);
  const number = optionOf(args, "card");
  if (!/^\d{12,19}$/.test(number)) throw new UsageProblem("--card takes 12 to 19 digits");
  const amount = numberOf(args, "amount", AMOUNT);
  const merchant = await chooseMerchant(ctx, args, "sandbox");
  const caller = callerFor(merchant);
  const id = args.positionals[0] ?? (await createRequest(ctx, caller, amount, args.flags.has("3ds")));
  const expiryYear = new Date(clockOf(ctx, merchant)).getUTCFullYear() + 3;
  const card = { number, expiryMonth: 12, expiryYear, securityCode: "123" };
  const { request, answer } = await payInSandbox(ctx, caller, requireId("paymentRequest", id), {
    card,
    challenge,
  });
  const transactionId = answer?.transactionId ?? request.approvedTransactionId;
  const { status, codes = [] } = resultOf(answer?.result ?? { status: "approved" });
  const outcome = codes.map(({ id: code, message }) => `  ${code} ${message}`).join("");
  return {
    json: {
      paymentRequestId: request.id,
      paymentRequestStatus: request.status,
      transactionId,
      status,
      codes,
    },
    lines: [
      `Payment request  ${request.id}  ${request.status}`,
      `Transaction      ${transactionId}  ${status}${outcome}`,
      ...(status === "declined" ? codes.map(({ detail }) => `                 ${detail}`) : []),
    ],
  };
}

async function createRequest(
  ctx: Context,
  caller: ReturnType<typeof callerFor>,
  amount: number,
  threeDSecure: boolean,
): Promise<string> {
  const category = threeDSecure ? { category: { authenticationType: "3d_secure" } as const } : {};
  const input = { payment: { amount }, paymentMethods: ["card" as const], transactionRequest: category };
  return (await createPaymentRequest(ctx, caller, input)).id;
}

type Result = {
  readonly status?: string;
  readonly codes?: readonly { readonly id: string; readonly message: string; readonly detail: string }[];
};

function resultOf(result: object): Result {
  return result;
}
