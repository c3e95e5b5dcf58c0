import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

/** The clock of a machine that is wrong, for processes that start with `environment`. It is right until it is set. */
export function moveClock(): {
  readonly environment: Readonly<Record<string, string>>;
  readonly setAhead: (milliseconds: number) => void;
} {
  const folder = mkdtempSync(join(tmpdir(), "tidegate-clock-"));
  const file = join(folder, "ahead");
  after(() => rmSync(folder, { recursive: true, force: true }));
  const setAhead = (milliseconds: number) => writeFileSync(file, String(milliseconds));
  setAhead(0);
  const preload = new URL("./moved-clock.ts", import.meta.url).href;
  return { environment: { NODE_OPTIONS: `--import=${preload}`, CLOCK_FILE: file }, setAhead };
}
