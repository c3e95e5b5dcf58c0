import { reconcile } from "../features/payouts/index.ts";
import type { Command } from "./command.ts";

export const RECONCILE_COMMANDS: readonly Command[] = [
  {
    words: "reconcile",
    about: "Hold payouts against transactions and refunds, to the cent. Exit code 1 when they differ.",
    options: {},
    examples: ["reconcile", "reconcile --json"],
    run: async (ctx) => {
      const { balances, faults } = await reconcile(ctx);
      const sound = faults.length === 0 && balances.every(({ balanced }) => balanced);
      const lines = [
        ...balances.map(
          (one) =>
            `${one.merchantId}  ${one.currency}  payments ${one.payments}  refunds ${one.refunds}  returns ${one.returns}  fees ${one.fees}  paid out ${one.paidOut}  held ${one.held}  ${one.balanced ? "balanced" : "NOT BALANCED"}`,
        ),
        ...faults.map(({ merchantId, subjectId, about }) => `${merchantId}  ${subjectId}  ${about}`),
        sound
          ? "All of it adds up: payments less refunds, returns and fees are what was paid out and what is held."
          : "It does not add up.",
      ];
      return { json: { sound, balances, faults }, lines, failed: !sound };
    },
  },
];
