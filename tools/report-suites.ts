import type { TestEvent } from "node:test/reporters";

/** How a test file that shares a process ended. */
export type SuiteReport = { readonly file: string; readonly passed: boolean; readonly seconds: number };

/** Reports each file of a shared process, a line of JSON each. One whose process ended badly has none. */
// biome-ignore lint/style/noDefaultExport: Node loads the default export of a reporter.
export default async function* reportSuites(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if ((type !== "test:pass" && type !== "test:fail") || data.nesting !== 0) continue;
    const seconds = Math.round(data.details.duration_ms / 1_000);
    const report: SuiteReport = { file: data.name, passed: type === "test:pass", seconds };
    yield `${JSON.stringify(report)}\n`;
  }
}
