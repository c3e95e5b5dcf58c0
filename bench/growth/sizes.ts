export const SMALL_MERCHANTS = "mer_small_";

/** Rows of one small merchant. */
export const ROWS_OF_SMALL = 100;

export type Sizes = {
  /** The large merchant. */
  readonly merchantId: string;
  /** In every table, of all merchants. */
  readonly rows: number;
  /** The number of small merchants. */
  readonly small: number;
  readonly now: number;
};

/** One row in five is of a small merchant. */
export function sizesOf(merchantId: string, rows: number, now: number): Sizes {
  return { merchantId, rows, small: Math.ceil(rows / 5 / ROWS_OF_SMALL), now };
}
