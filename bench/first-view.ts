import type { Browser } from "playwright-core";
import { launchBrowser } from "../tests/support/browser.ts";
import { serveBarePage } from "./first-view/bare-page.ts";
import { createHostedPage } from "./first-view/hosted-request.ts";
import type { BenchOptions, Finding, Question } from "./question.ts";
import { startDatabaseServer } from "./stage/database.ts";
import { BENCH_KEY, startGatewayProgram } from "./stage/gateway.ts";

/** The limit for the first view, compressed, without images. */
const MOST_BYTES = 30 * 1024;
const VIEWS = 15;

/** What a payer's phone loads for the hosted page's first view, and how long that takes compared with bare text. */
export const firstView: Question = {
  name: "first-view",
  description:
    "bytes and first paint of the hosted page (empty cache, processor slowed down 4 times), against a page of bare text",
  answer: answerFirstView,
};

type View = { readonly paint: number; readonly bytes: number; readonly requests: number };

async function answerFirstView({ stage, report }: BenchOptions): Promise<Finding> {
  report("starting PostgreSQL, the gateway and a browser");
  const url = await (await startDatabaseServer(stage)).newDatabase("ours");
  const gateway = await startGatewayProgram(stage, url, {});
  const hosted = await createHostedPage(gateway.port, BENCH_KEY);
  const bare = await serveBarePage(stage);
  const browser = await launchBrowser();
  stage.defer(() => browser.close());
  const views: { readonly ours: View; readonly bare: View }[] = [];
  for (let count = 0; count < VIEWS; count += 1) {
    views.push({ ours: await view(browser, hosted), bare: await view(browser, bare) });
  }
  const [ours, floor] = [
    median(views.map((one) => one.ours.paint)),
    median(views.map((one) => one.bare.paint)),
  ];
  const { bytes = Number.NaN, requests = 0 } = views[0]?.ours ?? {};
  return {
    lines: [
      `weight        ${bytes} bytes in ${requests} requests (at most ${MOST_BYTES})`,
      `first paint   ${ours.toFixed(0)} ms, bare text ${floor.toFixed(0)} ms: ${(ours / floor).toFixed(2)} times (medians of ${VIEWS})`,
    ],
    met: bytes <= MOST_BYTES,
  };
}

/** One view with an empty cache. Images, such as the logo, are not counted. */
async function view(browser: Browser, address: string): Promise<View> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.goto(address, { waitUntil: "load" });
    return (await page.evaluate(READ_TIMES)) as View;
  } finally {
    await context.close();
  }
}

const READ_TIMES = `new Promise((resolve) => {
  const read = () => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    if (paint === undefined) return setTimeout(read, 20);
    const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter((entry) => entry.initiatorType !== "img");
    resolve({
      paint: paint.startTime,
      bytes: loaded.reduce((sum, entry) => sum + entry.encodedBodySize, 0),
      requests: loaded.length,
    });
  };
  read();
})`;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
