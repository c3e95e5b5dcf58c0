/** Only to a page of ours: a form must not redirect to another site. */
export function ownPath(next: string | undefined): string {
  return next !== undefined && /^\/dashboard(\/[\w./?=&%:-]*)?$/.test(next) && !next.includes("//")
    ? next
    : "/dashboard";
}
