import type { FastifyRequest } from "fastify";
import { refuse } from "../../kernel/refusal.ts";
import { macOf, sameBytes } from "../../platform/crypto/secrets.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";

/** The token in the forms of a session: made from its secret, so that there is nothing to store and none without it. */
export function formTokenOf(secret: string): string {
  return macOf(secret, "tidegate dashboard form", "hex");
}

/** A post is taken from a page of ours alone: the browser says where it comes from, and the form whose it is. */
export function refuseForeignForm(
  request: FastifyRequest,
  fields: FormFields,
  secret: string,
  baseUrl: string,
): void {
  const token = Buffer.from(fields["token"] ?? "");
  const own = secret !== "" && sameBytes(token, Buffer.from(formTokenOf(secret)));
  if (!own || !isFromHere(request, baseUrl)) refuse("dashboard_form_refused");
}

/** Browsers that say `null` or nothing for the origin have the other header; neither is no browser's post. */
function isFromHere({ headers, protocol, host }: FastifyRequest, baseUrl: string): boolean {
  const { origin, "sec-fetch-site": site } = headers;
  if (site !== undefined && site !== "same-origin") return false;
  if (origin === undefined || origin === "null") return site === "same-origin";
  return origin === baseUrl || origin === `${protocol}://${host}`;
}
