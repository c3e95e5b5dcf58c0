import { isIP } from "node:net";
import { userInfo } from "node:os";
import { ID_PREFIXES, type IdNoun, parseId } from "../kernel/ids.ts";
import type { Actor } from "../platform/audit/actor.ts";
import { record } from "../platform/audit/queries.ts";
import type { Context } from "../platform/context.ts";
import type { Command, ParsedArguments } from "./command.ts";

/**
 * The account behind a command, and the address that it signed in from. After sudo both accounts: the operator
 * can set that variable to any name.
 */
export function commandActor(environment: NodeJS.ProcessEnv): Actor {
  const before = environment["SUDO_USER"];
  const from = environment["SSH_CONNECTION"]?.split(" ", 1)[0] ?? "";
  return {
    actor: `cli:${before === undefined ? "" : `${before.slice(0, 60)} as `}${accountName().slice(0, 36)}`,
    address: isIP(from) === 0 ? "local" : from,
  };
}

/** A container may run under a uid without a name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

/** Goes on record before the command runs: its name, and the ids that it names. Other arguments may be secret. */
export async function recordCommand(
  ctx: Pick<Context, "db" | "now">,
  { name, reads }: Command,
  { options, positionals }: ParsedArguments,
): Promise<void> {
  if (reads === true) return;
  const merchantId = [options["merchant"], positionals[0]].find((text) => isId(text, ["merchant"]));
  const subjectId = positionals.find((text) => isId(text, Object.keys(ID_PREFIXES) as IdNoun[]));
  await record(
    ctx.db,
    { act: "command_run", detail: name, merchantId: merchantId ?? null, ...(subjectId && { subjectId }) },
    ctx.now(),
  );
}

function isId(text: string | undefined, nouns: readonly IdNoun[]): boolean {
  return text !== undefined && nouns.some((noun) => parseId(noun, text) !== undefined);
}
