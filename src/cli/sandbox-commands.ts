import { payOwnPayId } from "../features/incoming-transfers/index.ts";
import { createPaymentRequest } from "../features/payment-requests/index.ts";
import { advanceClock, payInSandbox, runSettlements } from "../features/sandbox/index.ts";
import { requireId } from "../kernel/ids.ts";
import { MAX_CENTS, MIN_CENTS } from "../kernel/money.ts";
import { toIso } from "../kernel/time.ts";
import { type Context, clockOf } from "../platform/context.ts";
import {
  type Command,
  choiceOf,
  type Given,
  numberOf,
  optionOf,
  type Said,
  UsageProblem,
} from "./command.ts";
import { secondsOf } from "./duration.ts";
import { chooseMerchant, inPlaceOf, WHOSE } from "./look-up.ts";

const AMOUNT = [MIN_CENTS, MAX_CENTS] as const;

export const SANDBOX_COMMANDS: readonly Command[] = [
  {
    words: "sandbox pay",
    about:
      "Play the payer of a payment request: card, hosted page or PayID. Without an id, a request is made first. Amounts choose what happens, see docs/generated/sandbox.md.",
    positional: "paymentRequestId",
    positionalOptional: true,
    options: {
      merchant: WHOSE,
      amount: { value: "cents", about: "Amount of the request that is made.", standard: "3000" },
      "3ds": { about: "The request that is made asks for 3D Secure." },
      challenge: {
        value: "approve|fail",
        about: "What the payer answers when the bank asks.",
        standard: "approve",
      },
      card: {
        value: "number",
        about: "Any number that passes the Luhn check.",
        standard: "4111111111111111",
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
    words: "sandbox transfer",
    about: "Play a payer's bank: transfer money to a PayID. Any but the exact amount comes back.",
    positional: "payId",
    options: {
      merchant: WHOSE,
      amount: { value: "cents", about: "How much is sent.", required: true },
      payer: { value: "name", about: "Name of the payer.", standard: "Sandbox payer" },
    },
    examples: ["sandbox transfer order-1001@payid.tidegate.test --amount 3000"],
    run: async (ctx, given) => {
      const amount = numberOf(given, "amount", AMOUNT);
      const merchant = await chooseMerchant(ctx, given, "sandbox");
      const input = { payId: given.positionals[0] ?? "", amount, payerName: optionOf(given, "payer") };
      const { id, reason } = await payOwnPayId(ctx, inPlaceOf(merchant), input);
      const status = reason === null ? "accepted" : "returned";
      return {
        json: { id, status, ...(reason === null ? {} : { reason }) },
        lines: [`Transfer  ${id}  ${status}${reason === null ? "" : `: ${reason}`}`],
      };
    },
  },
  {
    words: "sandbox settle",
    about: "Settle debits and refunds that wait, and make payouts, now.",
    options: { merchant: WHOSE },
    examples: ["sandbox settle"],
    run: async (ctx, given) => {
      const merchant = await chooseMerchant(ctx, given, "sandbox");
      const settled = await runSettlements(ctx, inPlaceOf(merchant));
      const { transactions, refunds, payouts } = settled;
      return {
        json: settled,
        lines: [`Settled  debits ${transactions}, refunds ${refunds}; payouts made ${payouts}`],
      };
    },
  },
  {
    words: "sandbox clock show",
    about: "Show the time on a sandbox merchant's clock.",
    options: { merchant: WHOSE },
    examples: ["sandbox clock show"],
    run: async (ctx, given) => {
      const merchant = await chooseMerchant(ctx, given, "sandbox");
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
    words: "sandbox clock advance",
    about:
      "Move a sandbox merchant's clock ahead, and with it all that waits for a moment. It can't go back.",
    positional: "duration",
    options: { merchant: WHOSE },
    examples: ["sandbox clock advance 90m", "sandbox clock advance 2d", "sandbox clock advance 3600"],
    run: async (ctx, given) => {
      const seconds = secondsOf(given.positionals[0] ?? "");
      if (seconds === undefined)
        throw new UsageProblem("<duration> must be from 1 second to 366 days, such as 3600, 90m, 12h or 2d");
      const merchant = await chooseMerchant(ctx, given, "sandbox");
      const currentDateTime = toIso(await advanceClock(ctx, inPlaceOf(merchant), seconds));
      return { json: { currentDateTime }, lines: [`Clock  ${currentDateTime}`] };
    },
  },
];

async function payCommand(ctx: Context, given: Given): Promise<Said> {
  const challenge = choiceOf(given, "challenge", ["approve", "fail"]);
  const number = optionOf(given, "card");
  if (!/^\d{12,19}$/.test(number)) throw new UsageProblem("--card takes 12 to 19 digits");
  const amount = numberOf(given, "amount", AMOUNT);
  const merchant = await chooseMerchant(ctx, given, "sandbox");
  const caller = inPlaceOf(merchant);
  const id = given.positionals[0] ?? (await makeRequest(ctx, caller, amount, given.flags.has("3ds")));
  const expiryYear = new Date(clockOf(ctx, merchant)).getUTCFullYear() + 3;
  const card = { number, expiryMonth: 12, expiryYear, securityCode: "123" };
  const { request, answer } = await payInSandbox(ctx, caller, requireId("paymentRequest", id), {
    card,
    challenge,
  });
  const transactionId = answer?.transactionId ?? request.approvedTransactionId;
  const { status, codes = [] } = resultOf(answer?.result ?? { status: "approved" });
  const said = codes.map(({ id: code, message }) => `  ${code} ${message}`).join("");
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
      `Transaction      ${transactionId}  ${status}${said}`,
    ],
  };
}

async function makeRequest(
  ctx: Context,
  caller: ReturnType<typeof inPlaceOf>,
  amount: number,
  threeDSecure: boolean,
): Promise<string> {
  const category = threeDSecure ? { category: { authenticationType: "3d_secure" } as const } : {};
  const input = { payment: { amount }, paymentMethods: ["card" as const], transactionRequest: category };
  return (await createPaymentRequest(ctx, caller, input)).id;
}

type Result = {
  readonly status?: string;
  readonly codes?: readonly { readonly id: string; readonly message: string }[];
};

function resultOf(result: object): Result {
  return result;
}
