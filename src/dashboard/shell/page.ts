import type { Html } from "../../../browser/ui/html.ts";
import type { Caller, Merchant, RequestCaller } from "../../features/merchants/index.ts";
import type { TimeZone } from "../../kernel/country.ts";
import type { Instant } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import type { PathIds } from "../../platform/http/route.ts";
import type { RunRoute } from "../../platform/http/run-route.ts";
import type { UserSession } from "../access/sessions/queries.ts";
import type { DashboardUser, Right } from "../access/users/user.ts";
import type { Section } from "./layout.ts";
import type { Notice } from "./parts/notice.ts";

/** One request of a signed-in user. `Visit<"{userId}">` has that id in `params`. */
export type Visit<Path extends string = ""> = {
  readonly user: DashboardUser;
  readonly session: UserSession;
  /** Every form of the page carries it. */
  readonly formToken: string;
  /** The ids in the path. */
  readonly params: PathIds<Path>;
  readonly query: FormFields;
  /** The posted form; empty on a GET. */
  readonly fields: FormFields;
  readonly address: string;
  readonly may: (right: Right) => boolean;
};

/** A request for a merchant's page, by a user who may see that merchant. */
export type MerchantVisit<Path extends string = ""> = Visit<Path> & {
  readonly merchant: Merchant;
  /** On the merchant's clock. */
  readonly now: Instant;
  readonly zone: TimeZone;
  /** For the verbs of the API. Its idempotency key is the form's name, so a form submitted twice is executed once. */
  readonly caller: RequestCaller;
  /** Runs an endpoint of the API by its operation name: same schema, rules and refusals. */
  readonly callApi: RunRoute<Caller>;
  /** `/dashboard/mer_…`, the prefix of this merchant's pages. */
  readonly base: string;
};

/** A page, a redirect with an optional notice, or a download. */
export type PageAnswer =
  | {
      readonly title: string;
      readonly section?: Section;
      readonly content: Html;
      readonly status?: number;
      readonly notice?: Notice;
      /** Sources that the page may load beyond its own, by directive of the content security policy. */
      readonly allow?: Readonly<Record<string, string>>;
    }
  | { readonly goTo: string; readonly notice?: Notice }
  | { readonly file: string | AsyncIterable<string>; readonly type: string; readonly name: string };

export function redirect(goTo: string, words: string, tone: Notice["tone"] = "good"): PageAnswer {
  return { goTo, notice: { tone, words } };
}

/** A refusal in words: beside the fields that caused it, and all together. */
export type Refused = {
  readonly status: number;
  /** By JSON pointer, as in the API's answer. */
  readonly byField: Readonly<Record<string, string>>;
  readonly sentences: readonly string[];
  readonly words: string;
};

export type Page<Seen> = {
  readonly method: "GET" | "POST";
  /** With `{refundId}` and the like for ids. */
  readonly path: string;
  readonly right: Right;
  readonly run: (ctx: Context, visit: Seen) => Promise<PageAnswer>;
  /** For a POST: what the audit log records, such as `refund requested`. */
  readonly audit?: string;
  /**
   * Renders the form again with the problems beside its fields; those that it does not show are in a notice. Without it: a
   * redirect to `backTo` with a notice.
   */
  readonly onRefused?: (ctx: Context, visit: Seen, refused: Refused) => Promise<PageAnswer>;
  /** Where a refused or repeated form leads. Default: the path without its last part. */
  readonly backTo?: (visit: Seen) => string;
  /** The user must have given password and second factor within PROOF_LIFE. */
  readonly needsProof?: true;
  /** Whether what was submitted needs the right `manage` and the proof, where the page itself does not. */
  readonly isSensitive?: (ctx: Context, visit: Seen) => Promise<boolean>;
  /** The verb takes no idempotency key, so the page claims the form's name before it runs. */
  readonly claimsOnce?: true;
};

/** A page of the user, or of no merchant, under `/dashboard/`. */
export type OwnPage = Page<Visit>;

/** A page of one merchant, under `/dashboard/{merchantId}/`. */
export type MerchantPage = Page<MerchantVisit>;

export type Declared<Path extends string, Seen> = Page<Seen> & { readonly path: Path };

/** Declares a page whose handlers get the ids of its path parsed and typed; a text that can't be an id is a 404. */
export function ownPage<const Path extends string>(page: Declared<Path, Visit<NoInfer<Path>>>): OwnPage {
  return page as unknown as OwnPage;
}

export function merchantPage<const Path extends string>(
  page: Declared<Path, MerchantVisit<NoInfer<Path>>>,
): MerchantPage {
  return page as unknown as MerchantPage;
}
