import {
  isReference,
  type OpenApiDocument,
  type Operation,
  type Response,
} from "../../platform/http/openapi-shape.ts";
import type { Method } from "../../platform/http/route.ts";

/** An operation with its address. */
export type Endpoint = { readonly method: Method; readonly path: string; readonly operation: Operation };

export function endpointsOf(document: OpenApiDocument): readonly Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase() as Method,
      path,
      operation,
    })),
  );
}

export function answerOf(operation: Operation): Response {
  const success = operation.responses["200"];
  if (success === undefined || isReference(success))
    throw new Error("every operation declares its own success");
  return success;
}
