import type { Page } from "playwright-core";
import type { Scene } from "./studio.ts";

type DocsPageScene = {
  readonly path: string;
  readonly reach?: (page: Page) => Promise<unknown>;
  /** The page is too long for one picture. */
  readonly isLong?: true;
  readonly scripts?: false;
  readonly checked?: string;
};

/** The complete reference has 40,000 elements. */
const OPERATION = "#createPaymentRequest";

const SCENES: Readonly<Record<string, DocsPageScene>> = {
  start: { path: "/" },
  lost: { path: "/nowhere" },
  guides: { path: "/docs/guides" },
  guide: { path: "/docs/guides/customers" },
  "guide-languages": { path: "/docs/guides/other-languages", isLong: true },
  settings: { path: "/docs/generated/settings", isLong: true },
  reference: { path: "/docs", isLong: true, checked: ".top, .intro, #answers" },
  operation: {
    path: "/docs#createPaymentRequest",
    isLong: true,
    checked: OPERATION,
    reach: (page) => page.getByRole("tab", { name: "Python" }).first().click(),
  },
  "operation-without-scripts": {
    path: "/docs#createPaymentRequest",
    isLong: true,
    checked: OPERATION,
    scripts: false,
  },
  codes: { path: "/docs/codes", isLong: true, checked: ".top, .intro, #V10018" },
  results: { path: "/docs/search?q=refund" },
  "no-results": { path: "/docs/search?q=zebra" },
  found: {
    path: "/docs/search",
    isLong: true,
    reach: async (page) => {
      await page.getByRole("combobox").fill("idempotency");
      await page.getByRole("option").first().waitFor();
      await page.keyboard.press("ArrowDown");
    },
  },
};

/** Guides, reference, codes and search. */
export function docsScenes(baseUrl: string): readonly Scene[] {
  return Object.entries(SCENES).map(([name, { path, reach, isLong, scripts, checked }]) => ({
    name: `docs-${name}`,
    ...(checked === OPERATION ? { prepare: (page) => page.locator(OPERATION).scrollIntoViewIfNeeded() } : {}),
    ...(isLong === true ? { windowOnly: true } : {}),
    ...(checked === undefined ? {} : { checked }),
    options: { javaScriptEnabled: scripts !== false },
    reach: async (page) => {
      await page.goto(baseUrl + path);
      await reach?.(page);
    },
  }));
}
