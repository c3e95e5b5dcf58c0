/** A query also has what browsers leave as it is in a submitted search. */
const OWN_PATH = /^\/dashboard(\/[\w./%:-]*)?(\?[\w./?=&%:+*~!'(),;@-]*)?$/;

/** Only to a page of ours: a form must not redirect to another site. */
export function ownPath(next: string | undefined): string {
  return next !== undefined && OWN_PATH.test(next) && !next.includes("//") ? next : "/dashboard";
}
