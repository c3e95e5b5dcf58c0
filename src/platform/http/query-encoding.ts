import type { Problem } from "../../kernel/refusal.ts";

/** The framework refuses paths whose percent encoding is not UTF-8, but takes such values of a query literally. */
export function encodingProblems(url: string): readonly Problem[] {
  if (!url.includes("%")) return [];
  try {
    decodeURIComponent(url);
    return [];
  } catch {
    return [{ code: "request_http_malformed" }];
  }
}
