import type { Load } from "./figures.ts";
import type { Generator } from "./load/drive.ts";

/** One of those that a question compares, each with a process and a database of its own. */
export type Contender = {
  readonly name: string;
  readonly pid: number;
  readonly databaseUrl: string;
  /** Puts it under load for so long; what has to be there before is made first and is no part of the time. */
  readonly load: (generator: Generator, seconds: number) => Promise<Load>;
  /** How many rows of each kind its answers have left behind. */
  readonly countRows: () => Promise<Readonly<Record<string, number>>>;
};
