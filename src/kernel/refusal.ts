import { CATALOGUE, type CodeName } from "./codes/catalogue.ts";
import type { RefusalStatus } from "./codes/code.ts";

/** One problem of a request. `field` is a JSON pointer into it; the value itself is never repeated. */
export type Problem = {
  readonly code: CodeName;
  readonly field?: string;
  /** The one exception: totals that do not add up show both sums. */
  readonly totals?: { readonly expected: number; readonly given: number };
  /** What exactly is wrong, where the code has many causes. It repeats no value. */
  readonly reason?: string;
  /** Why a domain could not be verified. */
  readonly verification?: { readonly domain: string; readonly reason: string };
  /** How many milliseconds the same request stays refused. */
  readonly wait?: number;
  /** How many such requests a second are answered, where there were too many. */
  readonly perSecond?: number;
};

/** What the first request with an idempotency key created. */
export type Original = {
  readonly requestId: string;
  readonly status: "processing" | "done";
  readonly id: string | null;
  /** A path; the HTTP edge adds the base URL. */
  readonly location: string | null;
};

/** How a payment request ended that a payer still attempts to pay. */
export type Ended = { readonly paymentRequestStatus: string; readonly paid: boolean };

/** What a refusal says beside its problems. */
type Beside = {
  readonly original?: Original | undefined;
  readonly ended?: Partial<Ended>;
};

/** The gateway did not accept the request. Nothing has changed; `problems` lists everything that is wrong. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly problems: readonly Problem[];
  readonly status: RefusalStatus;
  readonly original: Original | undefined;
  readonly ended: Partial<Ended> | undefined;

  constructor(problems: readonly [Problem, ...Problem[]], { original, ended }: Beside = {}) {
    super(problems.map((problem) => problem.code).join(", "));
    this.problems = problems;
    this.status = CATALOGUE[problems[0].code].status;
    this.original = original;
    this.ended = ended;
  }
}

export function refuse(code: CodeName, field?: string): never {
  throw new Refusal([field === undefined ? { code } : { code, field }]);
}

/** Refuses with all problems at once; does nothing when there are none. */
export function refuseAll(problems: readonly Problem[]): void {
  const [first, ...rest] = problems;
  if (first !== undefined) throw new Refusal([first, ...rest]);
}
