import type { RefusedAnswer } from "./errors.ts";
import { OPERATIONS, type Operations } from "./generated/api.ts";

type Name = keyof Operations;

/** Operations whose answer, or one of whose answers, can replace the answer of this one. */
type SameAnswer<Of extends Name> = {
  [Other in Name]: [Extract<Operations[Other]["answer"], Operations[Of]["answer"]>] extends [never]
    ? never
    : Other;
}[Name];

/** A resource may not show the change: the bank can have declined it, or the key was used for something else. */
export type Proof<Of extends Name = Name> = {
  /** Whether the resource shows that the change was made. */
  isGiven(answer: Operations[Of]["answer"]): boolean;
  /** What the error says otherwise. */
  readonly otherwise: string;
};

/**
 * What a call returns if its own answer was lost and the gateway reports that it was carried out (`V10018`): the resource
 * at `location`, read by that operation, or the current list, if they prove the change; that the resource is gone, if it
 * is; the answer to a second request, if two do no harm; or nothing, and then the error says so.
 */
export type Recovery<Of extends Name = Name> =
  | { readonly reads: SameAnswer<Of>; readonly proof?: Proof<Of> }
  | { readonly lists: SameAnswer<Of>; readonly proof: Proof<Of> }
  | "gone"
  | "again"
  | "none";

export type Recovered =
  | { readonly kind: "read"; readonly target: string; readonly proof?: Proof | undefined }
  /** If a read of its own path finds nothing, it was deleted, and this is the answer. */
  | { readonly kind: "gone"; readonly body: unknown }
  /** Send the request again under a new key. */
  | { readonly kind: "again" }
  /** The first request is still being processed. */
  | { readonly kind: "working" }
  /** The request was carried out, and its answer cannot be recovered. */
  | { readonly kind: "lost" }
  /** The key was used for something else. */
  | { readonly kind: "other" };

type Repeated = {
  /** Of the call's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly recovery: Recovery | undefined;
  /** The caller chose the key, so a request under another key is not allowed. */
  readonly ownKey: boolean;
};

export function recover(
  { original, mode }: RefusedAnswer,
  { params, recovery, ownKey }: Repeated,
): Recovered {
  if (original === undefined) return { kind: "lost" };
  if (original.status === "processing") return { kind: "working" };
  if (recovery === undefined || recovery === "none") return { kind: "lost" };
  if (recovery === "again") return { kind: ownKey ? "lost" : "again" };
  if (recovery === "gone") {
    if (original.id !== Object.values(params).at(-1)) return { kind: "other" };
    const result = { ...(mode === undefined ? {} : { mode }), status: "ok" };
    return { kind: "gone", body: { id: original.id, result } };
  }
  const { proof } = recovery;
  if ("lists" in recovery) return { kind: "read", target: OPERATIONS[recovery.lists].path, proof };
  const target = tailOf(original.location ?? "", OPERATIONS[recovery.reads].path, params);
  return target === undefined ? { kind: "other" } : { kind: "read", target, proof };
}

/**
 * The part of the location that the operation reads. Undefined for a location of another kind, or with other ids than the
 * call's (a key that was used for something else). Its host is ignored: the API key goes to the base URL only.
 */
function tailOf(location: string, path: string, params: Repeated["params"]): string | undefined {
  const pattern = path.replace(/\{(\w+)\}/g, "(?<$1>[\\w-]+)");
  const match = new RegExp(`${pattern}$`).exec(location);
  const isOurs = Object.entries(match?.groups ?? {}).every(([name, id]) => (params[name] ?? id) === id);
  return isOurs ? match?.[0] : undefined;
}
