import { type Difference, reconcileAccount } from "../features/acquirer-reconciliation/index.ts";
import { FAULTS_LISTED, reconcile } from "../features/payouts/index.ts";
import type { Context } from "../platform/context.ts";
import { getAccount } from "./acquirer-commands.ts";
import { type Command, CommandProblem } from "./command.ts";
import { firstRows, incompleteWarnings } from "./first-rows.ts";

export const RECONCILE_COMMANDS: readonly Command[] = [
  {
    name: "reconcile",
    reads: true,
    about:
      "Compare payouts with transactions, refunds and disputes, to the cent. Exit code 1 if they differ. Lists the first 10000 faults or differences.",
    options: {
      acquirer: {
        value: "accountId",
        about: "Compare an acquirer account's payments with its journal instead.",
      },
    },
    examples: ["reconcile", "reconcile --json", "reconcile --acquirer acq_… --json"],
    run: async (ctx, args) => {
      const accountId = args.options["acquirer"];
      if (accountId !== undefined) return reconcileAcquirer(ctx, accountId);
      const { balances, faults, isComplete } = await reconcile(ctx);
      const sound = faults.length === 0 && balances.every(({ balanced }) => balanced);
      const lines = [
        ...balances.map(
          (one) =>
            `${one.merchantId}  ${one.currency}  payments ${one.payments}  refunds ${one.refunds}  returns ${one.returns}  fees ${one.fees}  disputes ${one.disputes}  paid out ${one.paidOut}  held ${one.held}  ${one.balanced ? "balanced" : "NOT BALANCED"}`,
        ),
        ...faults.map(({ merchantId, subjectId, about }) => `${merchantId}  ${subjectId}  ${about}`),
        sound
          ? "Everything adds up: payments minus refunds, returns, fees and disputes equal the money paid out and held."
          : "It does not add up.",
      ];
      return {
        json: { sound, balances, faults, complete: isComplete },
        lines,
        warnings: incompleteWarnings(isComplete, FAULTS_LISTED),
        failed: !sound,
      };
    },
  },
];

function amountsOf(amounts: Difference["gateway"]): string {
  return amounts === null ? "none" : `approved ${amounts.approved} captured ${amounts.captured}`;
}

async function reconcileAcquirer(ctx: Context, accountId: string) {
  const account = await getAccount(ctx, accountId);
  const found = await reconcileAccount(ctx, account, FAULTS_LISTED + 1);
  if (found === undefined) {
    throw new CommandProblem(`the connector ${account.connector} keeps no journal to compare with`);
  }
  const { rows: differences, isComplete, warnings } = firstRows(found, FAULTS_LISTED);
  const lines = differences.map(
    ({ reference, about, gateway, journal }) =>
      `${reference}  ${about}  gateway ${amountsOf(gateway)}  journal ${amountsOf(journal)}`,
  );
  const isSound = differences.length === 0;
  return {
    // A complete list is `{ differences }` alone: programs compare it.
    json: isComplete ? { differences } : { differences, complete: isComplete },
    lines: isSound ? ["The gateway and the acquirer's journal agree to the cent."] : lines,
    warnings,
    failed: !isSound,
  };
}
