import type { FastifyRequest } from "fastify";
import { refuseEncodings } from "./body-encoding.ts";
import type { HttpServer } from "./server.ts";

/** For bodies that are read as text first, such as signed ones: a body is of one of these types and nothing else. */
export function acceptTextOnly(scope: HttpServer, types: readonly string[]): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    [...types],
    { parseAs: "string" },
    async (request: FastifyRequest, body: string): Promise<string> => {
      refuseEncodings(request.headers);
      return body;
    },
  );
}
