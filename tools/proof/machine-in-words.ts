import type { Machine } from "./machine.ts";

/** `2 cores of an Intel Xeon at 2.50 GHz and 24 GB of memory; Node.js 24.21.0, PostgreSQL 18.4`: each machine once. */
export function machinesInWords(machines: readonly Machine[]): string {
  const once = (texts: readonly string[]) => [...new Set(texts)];
  return [
    ...once(machines.map(hardware)),
    ...once(machines.map(({ node, postgres }) => `Node.js ${node} with PostgreSQL ${postgres}`)),
  ].join("; ");
}

function hardware({ cores, memoryGb, cpu }: Machine): string {
  const [name = "", clock] = cpu.split("@").map((part) => part.trim());
  const processor = name
    .replaceAll(/\((?:R|TM)\)|\b(?:CPU|Processor)\b/gi, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const at = clock === undefined ? "" : ` at ${clock.replace(/\s*GHz/, " GHz")}`;
  return `${cores} ${cores === 1 ? "core" : "cores"} (${processor}${at}), ${memoryGb} GB of memory`;
}
