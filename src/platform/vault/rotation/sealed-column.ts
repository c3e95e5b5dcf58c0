/** A column that holds sealed texts, and what each of them was sealed for. Whoever owns the table says so. */
export type SealedColumn = {
  readonly table: string;
  readonly column: string;
  /** The column that tells one row from another. */
  readonly id: string;
  readonly purposeOf: (id: string) => string;
};
