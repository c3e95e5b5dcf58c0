import type { Browser, Page } from "playwright-core";
import { type Someone, signedIn } from "./dashboard.ts";
import type { TestGateway } from "./gateway.ts";

export type DashboardPage = {
  readonly page: Page;
  /** What a policy stopped, or a script stumbled over. */
  readonly troubles: readonly string[];
};

/** A page of somebody who is signed in already. */
export async function dashboardPage(
  browser: Browser,
  gateway: TestGateway,
  someone: Someone,
): Promise<DashboardPage> {
  const visitor = await signedIn(gateway, someone);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
  });
  for (const [name, value] of visitor.cookies)
    await context.addCookies([{ name, value, url: gateway.baseUrl }]);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|TypeError/.test(message.text())) troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(String(error)));
  return { page, troubles };
}
