import { type Exported, type KeptBack, WAITING_COUNTED } from "../../features/direct-debits/index.ts";

export const idsOf = (debits: readonly KeptBack[]) => debits.map(({ transactionId }) => transactionId);

/** Two files of the same debits on different days: the bank would take both. */
export function redatedWarnings({ batch, day }: Exported): readonly string[] {
  if (batch.status !== "written" || batch.day === day) return [];
  return [
    `an earlier file of this batch is for ${batch.day}: send this one only if the bank refused that one, or it debits twice`,
  ];
}

/** Debits of the batch that this file does not have: declined, or of deleted accounts and in an earlier file. */
export function leftOutWarnings({ missing, declined, unreadable }: Exported): readonly string[] {
  const deleted = missing.filter((id) => declined.includes(id));
  const left = missing.filter((id) => !declined.includes(id));
  const refused = declined.filter((id) => !missing.includes(id));
  return [
    ...(deleted.length === 0
      ? []
      : [`${deleted.length} accounts were deleted; their debits are declined and not in the file`]),
    ...(refused.length === 0 ? [] : [`not in this file, because they are declined: ${refused.join(" ")}`]),
    ...(unreadable.length === 0
      ? []
      : [
          `not in this file, because the account number is unreadable: ${unreadable.join(" ")}; they are in a batch of their own`,
        ]),
    ...(left.length === 0
      ? []
      : [
          `not in this file, because the accounts were deleted after an earlier one was written: ${left.join(" ")}; they are still pending, and \`debit confirm\` needs --missing to know which file the bank took`,
        ]),
  ];
}

export const UNWRITTEN_NAMED = 20;

/** Batches whose file was never written: no other file has their debits. */
export function unwrittenWarnings(batches: readonly string[]): readonly string[] {
  if (batches.length === 0) return [];
  const more = batches.length < UNWRITTEN_NAMED ? "" : " and perhaps more";
  return [
    `debits wait in batches that have no file: ${batches.join(" ")}${more}; \`debit export --batch\` writes one`,
  ];
}

/** Undefined: they were not counted. */
export function waitingWarnings(waiting = 0): readonly string[] {
  if (waiting === 0) return [];
  const count = waiting < WAITING_COUNTED ? `${waiting}` : `${WAITING_COUNTED} or more`;
  return [`${count} debits wait for another file: run it again`];
}

const BECAUSE = {
  name: "the bank file can't hold the account's name",
  amount: "the amount is above the largest of the bank file",
} as const;

/** Only this command reports them: an excluded debit stays pending until the operator acts. */
export function keptBackWarnings(keptBack: readonly KeptBack[]): readonly string[] {
  return (["name", "amount"] as const).flatMap((because) => {
    const ids = idsOf(keptBack.filter((one) => one.because === because));
    if (ids.length === 0) return [];
    return [
      `not in the file and still pending, because ${BECAUSE[because]}: ${ids.join(" ")}; \`debit decline\` declines one`,
    ];
  });
}
