import type { FastifyRequest } from "fastify";
import { refuse } from "../../kernel/refusal.ts";
import { macOf, sameBytes } from "../../platform/crypto/secrets.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";

/** The token in a session's forms, derived from its secret: there is nothing to store. */
export function formTokenOf(secret: string): string {
  return macOf(secret, "tidegate dashboard form", "hex");
}

export type PostedForm = {
  readonly request: FastifyRequest;
  readonly fields: FormFields;
  readonly secret: string;
  readonly ownUrl: string;
};

/** Accepts forms of our own pages only: the session's token, and headers that name our origin. */
export function refuseForeignForm({ request, fields, secret, ownUrl }: PostedForm): void {
  const token = Buffer.from(fields["token"] ?? "");
  const own = secret !== "" && sameBytes(token, Buffer.from(formTokenOf(secret)));
  if (!own || !isSameOrigin(request, ownUrl)) refuse("dashboard_form_refused");
}

/** A browser that sends no origin, or `null`, sends `Sec-Fetch-Site`; a request with neither is no browser's form. */
function isSameOrigin({ headers, protocol, host }: FastifyRequest, ownUrl: string): boolean {
  const { origin, "sec-fetch-site": site } = headers;
  if (site !== undefined && site !== "same-origin") return false;
  if (origin === undefined || origin === "null") return site === "same-origin";
  return origin === ownUrl || origin === `${protocol}://${host}`;
}
