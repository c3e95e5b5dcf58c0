import type { Page } from "playwright-core";
import type { Scene } from "./studio.ts";

type DocsPageScene = {
  readonly path: string;
  readonly reach?: (page: Page) => Promise<unknown>;
  /** The page is too long for one picture. */
  readonly isLong?: true;
  readonly scripts?: false;
  readonly checked?: string;
  /** The part at the top of the picture. */
  readonly shown?: string;
};

const OPERATION = "#createPaymentRequest";

/** The complete reference has 40,000 elements, which axe walks for minutes: one operation stands for the others. */
const LEAVE_ONE = `for (const other of document.querySelectorAll(".endpoint:not(${OPERATION})")) other.remove()`;

const SCENES: Readonly<Record<string, DocsPageScene>> = {
  start: { path: "/" },
  lost: { path: "/nowhere" },
  guides: { path: "/docs/guides" },
  guide: { path: "/docs/guides/customers" },
  "guide-languages": { path: "/docs/guides/other-languages", isLong: true },
  settings: { path: "/docs/generated/settings", isLong: true },
  reference: { path: "/docs", isLong: true, reach: (page) => page.evaluate(LEAVE_ONE) },
  operation: {
    path: "/docs",
    isLong: true,
    reach: async (page) => {
      await page.evaluate(LEAVE_ONE);
      await page.getByRole("tab", { name: "Python" }).first().click();
    },
    shown: OPERATION,
  },
  "operation-without-scripts": {
    path: "/docs",
    isLong: true,
    reach: (page) => page.evaluate(LEAVE_ONE),
    shown: OPERATION,
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
  return Object.entries(SCENES).map(([name, { path, reach, isLong, scripts, checked, shown }]) => ({
    name: `docs-${name}`,
    ...(shown === undefined
      ? {}
      : {
          prepare: (page) =>
            page.evaluate(`document.querySelector(${JSON.stringify(shown)}).scrollIntoView()`),
        }),
    ...(isLong === true ? { windowOnly: true } : {}),
    ...(checked === undefined ? {} : { checked }),
    options: { javaScriptEnabled: scripts !== false },
    reach: async (page) => {
      await page.goto(baseUrl + path);
      await reach?.(page);
    },
  }));
}
