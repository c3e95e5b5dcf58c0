/** A logo is a few hundred pixels wide. What claims more than this wants the payer's memory. */
const SIDE_MAX_PIXELS = 4096;

export function isSaneSize(width: number, height: number): boolean {
  return width >= 1 && width <= SIDE_MAX_PIXELS && height >= 1 && height <= SIDE_MAX_PIXELS;
}
