/** A column that holds sealed texts, and what each of them was sealed for. The feature that owns the table declares it. */
export type SealedColumn = {
  readonly table: string;
  readonly column: string;
  /** The column that identifies a row. */
  readonly id: string;
  readonly purposeOf: (id: string) => string;
};
