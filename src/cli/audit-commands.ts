import { type Mark, verifyAudit } from "../platform/audit/verify-audit.ts";
import { type Command, UsageProblem } from "./command.ts";

export const AUDIT_COMMANDS: readonly Command[] = [
  {
    name: "audit verify",
    about: "Verify the chain of the audit log and print where it breaks. Exit code 1 if it does.",
    options: {
      head: {
        value: "place:hash",
        about: "Comma-separated heads from earlier runs: the chain must contain them.",
      },
    },
    examples: ["audit verify", "audit verify --head 1204:9f86d081…"],
    run: async (ctx, args) => {
      const { intact, head, broken } = await verifyAudit(
        ctx.db,
        ctx.vaultKeys,
        marksOf(args.options["head"] ?? ""),
      );
      const mark = head === undefined ? null : `${head.place}:${head.hash}`;
      const json = { intact: broken === undefined, entries: intact, head: mark, broken: broken ?? null };
      if (broken === undefined) {
        const heads =
          mark === null ? [] : [`Head      ${mark}   (store it elsewhere; --head verifies it later)`];
        return { json, lines: [`Intact    ${intact} entries`, ...heads] };
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
        "--head takes comma-separated heads as `audit verify` prints them (1204:9f86d081…)",
      );
    }
    return { place: Number(place), hash };
  });
}
