import decodeQR from "qr/decode.js";

/** Dots of a QR code in pixels, and the quiet space around it in dots. */
const SCALE = 4;
const QUIET = 4;

/** What a reader of QR codes finds in the path of an SVG that is `size` dots wide. */
export function readQr({ size, path }: { readonly size: number; readonly path: string }): string {
  const width = (size + 2 * QUIET) * SCALE;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x = "", y = ""] of path.matchAll(/M(\d+) (\d+)/g)) {
    for (let down = 0; down < SCALE; down += 1) {
      for (let right = 0; right < SCALE; right += 1) {
        const at = ((Number(y) + QUIET) * SCALE + down) * width + (Number(x) + QUIET) * SCALE + right;
        data.fill(0, at * 4, at * 4 + 3);
      }
    }
  }
  return decodeQR({ width, height: width, data });
}
