/** Marks a fetch that a page's script makes on its own. It is no sign of a user, so it does not keep a session open. */
export const REFRESH_HEADER = "tidegate-refresh";
