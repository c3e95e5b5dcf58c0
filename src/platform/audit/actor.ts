import { AsyncLocalStorage } from "node:async_hooks";

/** Who acts, and from where. */
export type Actor = {
  /** An API key's or a user's id, `payer`, or `cli:` and the account on the machine (`cli:alex as root` after sudo); null: not known yet. */
  readonly actor: string | null;
  /** The client's IP address, or `local`. */
  readonly address: string | null;
};

/** Work outside of any request or command, such as a job: the gateway itself. */
const GATEWAY: Actor = { actor: null, address: null };

const current = new AsyncLocalStorage<Actor>();

/**
 * Runs work on behalf of an actor: every entry that it writes into the audit log names it. It is carried along beside the
 * calls, because any verb may write an entry and none may decide who acts (decision 42).
 */
export function actingAs<Result>(actor: Actor, work: () => Result): Result {
  return current.run(actor, work);
}

export function currentActor(): Actor {
  return current.getStore() ?? GATEWAY;
}
