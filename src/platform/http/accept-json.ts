import type { FastifyInstance, FastifyRequest } from "fastify";
import type { CodeName } from "../../kernel/codes/catalogue.ts";
import { type JsonProblem, readJson } from "../../kernel/json.ts";
import { Refusal, refuse } from "../../kernel/refusal.ts";
import { refuseEncodings } from "./body-encoding.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

const CODES: Readonly<Record<Exclude<JsonProblem["kind"], "malformed">, CodeName>> = {
  too_deep: "body_nesting_too_deep",
  too_many: "body_values_too_many",
  repeated_name: "body_field_repeated",
};

/** JSON and nothing else: Fastify alone would also take text/plain. */
export function acceptJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, body: Buffer) => {
      refuseEncodings(request.headers);
      return body.length === 0 ? undefined : jsonOf(body);
    },
  );
}

function jsonOf(body: Buffer): unknown {
  const read = readJson(textOf(body));
  if (read.problem === undefined) return read.value;
  if (read.problem.kind === "malformed") refuse("body_json_malformed");
  throw new Refusal([{ code: CODES[read.problem.kind], field: read.problem.pointer }]);
}

function textOf(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    return refuse("body_json_malformed");
  }
}
