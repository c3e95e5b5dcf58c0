import { base64Length, decodeBase64, readDataUri } from "./data-uri.ts";
import { isPng, isWebp } from "./raster.ts";
import { inspectSvg, whyRefused } from "./svg.ts";

export type LogoProblem = "not_data_uri" | "type_unsupported" | "too_large" | "bytes_invalid" | "svg_unsafe";

/** Why a logo is refused, where the problem alone does not say it. */
export function logoReason(dataUri: string, problem: LogoProblem): string | undefined {
  const uri = readDataUri(dataUri);
  if (uri?.mime !== "image/svg+xml" || (problem !== "svg_unsafe" && problem !== "bytes_invalid"))
    return undefined;
  const bytes = decodeBase64(uri.base64);
  return bytes === undefined ? "It is not base64." : whyRefused(bytes);
}

/** Specification 2.4: "max 10 KB decoded". */
export const LOGO_MAX_BYTES = 10_240;

const inspectors: ReadonlyMap<string, (bytes: Buffer) => LogoProblem | undefined> = new Map([
  ["image/png", (bytes: Buffer) => (isPng(bytes) ? undefined : "bytes_invalid")],
  ["image/webp", (bytes: Buffer) => (isWebp(bytes) ? undefined : "bytes_invalid")],
  ["image/svg+xml", inspectSvg],
]);

/**
 * Returns what is wrong with a merchant's logo, or undefined when it can be shown to payers: it is of its declared type,
 * small in bytes and pixels, and (SVG) contains nothing that runs or loads from elsewhere. Never throws. The length is
 * checked before anything is decoded, so a long text costs little.
 */
export function inspectLogo(dataUri: string): LogoProblem | undefined {
  const uri = readDataUri(dataUri);
  if (uri === undefined) return "not_data_uri";
  const inspect = inspectors.get(uri.mime);
  if (inspect === undefined) return "type_unsupported";
  if (uri.base64.length > base64Length(LOGO_MAX_BYTES)) return "too_large";
  const bytes = decodeBase64(uri.base64);
  if (bytes === undefined) return "bytes_invalid";
  return bytes.length > LOGO_MAX_BYTES ? "too_large" : inspect(bytes);
}
