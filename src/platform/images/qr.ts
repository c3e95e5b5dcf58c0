import { encodeQR } from "qr";

export type QrPicture = { readonly size: number; readonly path: string };

/** A QR code as the path of an SVG: one square a dot, without any style of its own. */
export function qrPicture(text: string): QrPicture {
  const dots = encodeQR(text, "raw", { ecc: "medium", border: 2 });
  const path = dots
    .map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")).join(""))
    .join("");
  return { size: dots.length, path };
}
