import type { RefusedAnswer } from "./errors.ts";
import { OPERATIONS, type Operations } from "./generated/api.ts";

type Name = keyof Operations;

/** Operations whose answer can stand for the answer of this one. */
type SameAnswer<Of extends Name> = {
  [Other in Name]: Operations[Other]["answer"] extends Operations[Of]["answer"] ? Other : never;
}[Name];

/**
 * What a call gives when its own answer was lost and the gateway says that it was carried out (`V10018`):
 * what `location` leads to, read by that operation; what a list says now; that the resource is gone; the answer to a
 * second request, where two do no harm; or nothing, and then the error says so.
 */
export type Recovery<Of extends Name = Name> =
  | { readonly reads: SameAnswer<Of> }
  | { readonly lists: SameAnswer<Of> }
  | "gone"
  | "again"
  | "none";

export type Recovered =
  | { readonly kind: "read"; readonly target: string }
  | { readonly kind: "answer"; readonly body: unknown }
  /** Ask under a new key. */
  | { readonly kind: "again" }
  /** The first request is still at work. */
  | { readonly kind: "working" }
  /** It was done, and its answer is not to be had. */
  | { readonly kind: "lost" };

/** `ownKey`: the caller chose the key, so that a request under another one would not be what was asked for. */
export function recover(
  { original, mode }: RefusedAnswer,
  recovery: Recovery | undefined,
  ownKey: boolean,
): Recovered {
  if (original === undefined || recovery === undefined || recovery === "none") return { kind: "lost" };
  if (original.status === "processing") return { kind: "working" };
  if (recovery === "again") return { kind: ownKey ? "lost" : "again" };
  if (recovery === "gone") {
    if (original.id === null) return { kind: "lost" };
    const result = { ...(mode === undefined ? {} : { mode }), status: "ok" };
    return { kind: "answer", body: { id: original.id, result } };
  }
  if ("lists" in recovery) return { kind: "read", target: OPERATIONS[recovery.lists].path };
  const target = tailOf(original.location ?? "", OPERATIONS[recovery.reads].path);
  return target === undefined ? { kind: "lost" } : { kind: "read", target };
}

/**
 * The part of the address that the operation reads. Of an address of another kind (a key that was used for something
 * else) there is none, and no host is taken from it: the key goes to the base URL only.
 */
function tailOf(location: string, path: string): string | undefined {
  const pattern = path.replace(/\{\w+\}/g, "[\\w-]+");
  return new RegExp(`${pattern}$`).exec(location)?.[0];
}
