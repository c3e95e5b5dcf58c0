import type { Html } from "../../../browser/ui/html.ts";
import type { Caller, Merchant, RequestCaller } from "../../features/merchants/index.ts";
import type { Context } from "../../platform/context.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import type { RunRoute } from "../../platform/http/run-route.ts";
import type { UserSession } from "../sign-in/sessions/session.ts";
import type { DashboardUser, Right } from "../users/user.ts";
import type { Section } from "./layout.ts";
import type { Notice } from "./parts/notice.ts";

/** One request of somebody who is signed in. */
export type Visit = {
  readonly user: DashboardUser;
  readonly session: UserSession;
  /** For every form of the answer. */
  readonly formToken: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: FormFields;
  /** What was posted; nothing on a GET. */
  readonly fields: FormFields;
  readonly address: string;
  readonly agent: string;
  readonly may: (right: Right) => boolean;
};

/** The same, on a merchant's page. Whoever gets here may see that merchant. */
export type MerchantVisit = Visit & {
  readonly merchant: Merchant;
  /** As the verbs of the API know a caller. Its idempotency key is the form's own name: sent twice, it counts once. */
  readonly caller: RequestCaller;
  /** What an endpoint of the API does, by the operation's name. */
  readonly callApi: RunRoute<Caller>;
  /** `/dashboard/mer_…`: where this merchant's pages begin. */
  readonly base: string;
};

/** A page, or where to go next and what to say there. */
export type PageAnswer =
  | {
      readonly title: string;
      readonly section?: Section;
      readonly content: Html;
      readonly status?: number;
      readonly notice?: Notice;
      /** What the page may load beyond our own files, by directive of its policy. */
      readonly allow?: Readonly<Record<string, string>>;
    }
  | { readonly goTo: string; readonly say?: Notice }
  | { readonly file: string; readonly type: string; readonly name: string };

type PageSpec<Seen> = {
  readonly method: "GET" | "POST";
  /** With `:name` for the parts that vary. */
  readonly path: string;
  readonly may: Right;
  readonly run: (ctx: Context, visit: Seen) => Promise<PageAnswer>;
  /** For a POST: what goes on record, such as `refund requested`. */
  readonly audit?: string;
  /** The form again, with what was refused beside its fields. Without it: back to `back`, with a notice. */
  readonly again?: (ctx: Context, visit: Seen, refused: Refused) => Promise<PageAnswer>;
  /** Where a form leads that was refused, or sent twice. Left out: the path without its last part. */
  readonly back?: (visit: Seen) => string;
  /** The verb takes no idempotency key: the form's own name is used up before it. */
  readonly claimsOnce?: true;
};

/** What was refused, in words: beside the fields that are to blame, and all together. */
export type Refused = {
  readonly status: number;
  /** By JSON pointer, as the API would answer it. */
  readonly byField: Readonly<Record<string, string>>;
  readonly words: string;
};

/** A page about the one who looks, or about no merchant. */
export type OwnPage = PageSpec<Visit>;

/** A page of a merchant, under `/dashboard/{merchantId}/`. */
export type MerchantPage = PageSpec<MerchantVisit>;
