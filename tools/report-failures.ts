import type { TestEvent } from "node:test/reporters";

/** Lists the test files that failed, one a line: as suites of a shared process, or as processes that ended badly. */
// biome-ignore lint/style/noDefaultExport: Node loads the default export of a reporter.
export default async function* reportFailures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events)
    if (type === "test:fail" && data.nesting === 0) yield `${data.name}\n`;
}
