import type { Generator } from "./load/drive.ts";
import type { Load } from "./statistics.ts";

/** One of the programs that a question compares, each with its own process and database. */
export type Contender = {
  readonly name: string;
  readonly pid: number;
  readonly databaseUrl: string;
  /** Puts it under load for that time, with so many requests a second if there is a rate; the preparation is not counted. */
  readonly load: (generator: Generator, seconds: number, rate?: number) => Promise<Load>;
  /** How many rows of each kind its answers have written. */
  readonly countRows: () => Promise<Readonly<Record<string, number>>>;
};
