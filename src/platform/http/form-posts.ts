import type { FastifyRequest } from "fastify";
import { refuseEncodings } from "./body-encoding.ts";
import type { HttpServer } from "./server.ts";

/** What a form sent, by field. Of a field that came twice the last counts. */
export type FormFields = Readonly<Record<string, string>>;

/** For pages that work without scripts: here a body is a form and nothing else, so every field is a text. */
export function acceptFormsOnly(scope: HttpServer): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (request: FastifyRequest, body: string): Promise<FormFields> => {
      refuseEncodings(request.headers);
      return Object.fromEntries(new URLSearchParams(body));
    },
  );
}

/** The fields of an address, in the same shape: there, too, a name can come twice. */
export function lastOfEach(query: Readonly<Record<string, string | string[]>>): FormFields {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, [value].flat().at(-1) ?? ""]),
  );
}

/** Removes NUL characters: no user types one, and no column of the database takes one. */
export function withoutNuls(fields: FormFields): FormFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value.replaceAll("\0", "")]),
  );
}
