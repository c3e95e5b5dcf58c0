import { findHead } from "../platform/audit/queries.ts";
import { sealAudit } from "../platform/audit/seal-audit.ts";
import { signedHead } from "../platform/audit/ship-head.ts";
import { type Mark, verifyAudit } from "../platform/audit/verify-audit.ts";
import { type Command, CommandProblem, UsageProblem } from "./command.ts";

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
  {
    name: "audit head",
    about:
      "Print the signed head of the audit log, to be kept away from the database. `audit verify --head` checks it later.",
    options: {},
    examples: ["audit head", "audit head --json"],
    run: async (ctx) => {
      while ((await sealAudit(ctx.db, ctx.vaultKeys, true)) === "more");
      const head = await findHead(ctx.db);
      if (head === undefined)
        throw new CommandProblem("the log has no head yet, or lost it; `audit verify` says which");
      const signed = signedHead(head, ctx.now());
      return { json: signed, lines: [`Head      ${signed.head}`, `Proof     ${signed.proof}`] };
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
