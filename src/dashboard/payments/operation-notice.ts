import type { OperatedTransaction } from "../../features/transactions/index.ts";
import type { Notice } from "../shell/parts/notice.ts";
import { messageWords } from "../shell/words.ts";

/** What the user reads after a capture or a cancellation. */
export function operationNotice(what: string, { operation }: OperatedTransaction): Notice {
  const { status, code } = operation;
  if (status === "refused") {
    const why = code === null ? "" : ` ${messageWords(code)}.`;
    return { words: `The acquirer declined the ${what}.${why} The authorisation is as it was.`, tone: "bad" };
  }
  const words = `The ${what} was sent to the acquirer.`;
  return { words: status === "done" ? words : `${words} Its outcome is not known yet.`, tone: "good" };
}
