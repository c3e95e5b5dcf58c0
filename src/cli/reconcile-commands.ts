import { FAULTS_LISTED, reconcile } from "../features/payouts/index.ts";
import type { Command } from "./command.ts";

export const RECONCILE_COMMANDS: readonly Command[] = [
  {
    name: "reconcile",
    about:
      "Compare payouts with transactions, refunds and disputes, to the cent. Exit code 1 if they differ.",
    options: {},
    examples: ["reconcile", "reconcile --json"],
    run: async (ctx) => {
      const { balances, faults } = await reconcile(ctx);
      const sound = faults.length === 0 && balances.every(({ balanced }) => balanced);
      const lines = [
        ...balances.map(
          (one) =>
            `${one.merchantId}  ${one.currency}  payments ${one.payments}  refunds ${one.refunds}  returns ${one.returns}  fees ${one.fees}  disputes ${one.disputes}  paid out ${one.paidOut}  held ${one.held}  ${one.balanced ? "balanced" : "NOT BALANCED"}`,
        ),
        ...(faults.length < FAULTS_LISTED ? [] : [`Only the first ${FAULTS_LISTED} faults are listed.`]),
        ...faults.map(({ merchantId, subjectId, about }) => `${merchantId}  ${subjectId}  ${about}`),
        sound
          ? "Everything adds up: payments minus refunds, returns, fees and disputes equal the money paid out and held."
          : "It does not add up.",
      ];
      return { json: { sound, balances, faults }, lines, failed: !sound };
    },
  },
];
