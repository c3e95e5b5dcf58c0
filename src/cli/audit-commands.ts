import { type Mark, verifyAudit } from "../platform/audit/verify-audit.ts";
import { type Command, UsageProblem } from "./command.ts";

export const AUDIT_COMMANDS: readonly Command[] = [
  {
    words: "audit verify",
    about: "Compute the chain of the audit log again, and say where it breaks. Exit code 1 when it does.",
    options: {
      head: {
        value: "place:hash",
        about: "Heads that you kept, with commas between: the chain must hold them.",
      },
    },
    examples: ["audit verify", "audit verify --head 1204:9f86d081…"],
    run: async (ctx, given) => {
      const { intact, head, broken } = await verifyAudit(
        ctx.db,
        ctx.vaultKeys,
        marksOf(given.options["head"] ?? ""),
      );
      const mark = head === undefined ? null : `${head.place}:${head.hash}`;
      const json = { intact: broken === undefined, entries: intact, head: mark, broken: broken ?? null };
      if (broken === undefined) {
        const kept = mark === null ? [] : [`Head      ${mark}   (keep it elsewhere; --head proves it later)`];
        return { json, lines: [`Intact    ${intact} entries`, ...kept] };
      }
      return { json, lines: [`Broken at entry ${broken.place}: ${broken.problem}.`], failed: true };
    },
  },
];

function marksOf(text: string): readonly Mark[] {
  const words = text.split(",").filter((word) => word.trim() !== "");
  return words.map((word) => {
    const [, place, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(word.trim()) ?? [];
    if (place === undefined || hash === undefined) {
      throw new UsageProblem(
        "--head takes heads as `audit verify` prints them (1204:9f86d081…), with commas between",
      );
    }
    return { place: Number(place), hash };
  });
}
