import {
  createPaymentLink,
  LINK_DAYS_AT_MOST,
  LINK_DAYS_STANDARD,
} from "../features/payment-requests/index.ts";
import { CURRENCIES, MAX_CENTS, MIN_CENTS } from "../kernel/money.ts";
import { toIso } from "../kernel/time.ts";
import { callerFor, chooseMerchantOrFirst, MERCHANT_OR_FIRST_OPTION } from "./choose-merchant.ts";
import { type Command, choiceOf, numberOf } from "./command.ts";

export const LINK_COMMANDS: readonly Command[] = [
  {
    name: "link create",
    about: "Create a payment link: a hosted page to send to a payer, without a server of the merchant's own.",
    options: {
      merchant: MERCHANT_OR_FIRST_OPTION,
      amount: { value: "cents", about: "What the payer pays.", required: true },
      currency: { value: CURRENCIES.join("|"), about: "Default: the merchant's own." },
      description: { value: "text", about: "Shown to the payer." },
      reference: { value: "text", about: "The merchant's own reference. Default: the payment request's id." },
      days: {
        value: "number",
        about: `How long it can be paid, 1 to ${LINK_DAYS_AT_MOST} days.`,
        default: String(LINK_DAYS_STANDARD),
      },
    },
    examples: ["link create --amount 3000", 'link create --amount 4950 --description "Invoice 88" --days 7'],
    run: async (ctx, args) => {
      const amount = numberOf(args, "amount", [MIN_CENTS, MAX_CENTS]);
      const days = numberOf(args, "days", [1, LINK_DAYS_AT_MOST]);
      const currencyCode =
        args.options["currency"] === undefined ? undefined : choiceOf(args, "currency", CURRENCIES);
      const merchant = await chooseMerchantOrFirst(ctx, args);
      const { description, reference } = args.options;
      const input = { amount, days, currencyCode, description, reference };
      const { url, request } = await createPaymentLink(ctx, callerFor(merchant), input);
      const until = `Can be paid to ${merchant.name} until ${toIso(request.expiresAt)}  ${request.id}`;
      return { json: { url }, lines: [url, until] };
    },
  },
];
