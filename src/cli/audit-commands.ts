import { toIso } from "../kernel/time.ts";
import { findHead, listNewest } from "../platform/audit/queries.ts";
import { sealAudit } from "../platform/audit/seal-audit.ts";
import { signedHead } from "../platform/audit/ship-head.ts";
import { type Mark, verifyAudit } from "../platform/audit/verify-audit.ts";
import { type Command, CommandProblem, numberOf, UsageProblem } from "./command.ts";

/** Above every entry. */
const LAST_ID = 999_999_999_999_999;

export const AUDIT_COMMANDS: readonly Command[] = [
  {
    name: "audit verify",
    reads: true,
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
    // Recorded, although it only reads: PCI DSS 10.2.1.3 wants to know who read the log.
    name: "audit list",
    about: "List the newest entries of the audit log: when, who, from where, what, on which record.",
    options: {
      limit: { value: "number", about: "So many entries, 1 to 1000.", default: "50" },
      before: { value: "entry", about: "Only entries before this one, to page back." },
    },
    examples: ["audit list", "audit list --limit 10 --json"],
    run: async (ctx, args) => {
      const limit = numberOf(args, "limit", [1, 1_000]);
      const before = args.options["before"] === undefined ? LAST_ID : numberOf(args, "before", [1, LAST_ID]);
      const entries = (await listNewest(ctx.db, before, limit)).map(({ id, at, ...entry }) => ({
        entry: id,
        dateTime: toIso(at),
        ...entry,
      }));
      const lines = entries.map((one) =>
        [
          String(one.entry),
          one.dateTime,
          one.actor ?? (one.address === null ? "gateway" : "unknown"),
          one.address ?? "-",
          one.act,
          one.merchantId ?? "-",
          one.subjectId ?? "-",
          one.detail,
        ].join("  "),
      );
      return { json: { entries }, lines };
    },
  },
  {
    name: "audit head",
    reads: true,
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
