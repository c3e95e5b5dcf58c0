/** The longest tag that is taken, as RFC 5646 advises. */
export const LONGEST_TAG = 35;

/**
 * A well-formed language tag of BCP 47 (RFC 5646): language, script, region, variants, extensions and a private part, or a
 * private part alone. The loader has the same pattern. Tags that were grandfathered when the rules were made are left out.
 */
export const LANGUAGE_TAG =
  "^(([A-Za-z]{2,3}(-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(-[A-WYZa-wyz0-9](-[A-Za-z0-9]{2,8})+)*(-[Xx](-[A-Za-z0-9]{1,8})+)?|[Xx](-[A-Za-z0-9]{1,8})+)$";
