import { join } from "node:path";
import { inflateSync } from "node:zlib";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { accessibilityProblems } from "../../tests/support/axe.ts";
import { APPEARANCES } from "./appearances.ts";

/** A page in one state. It is reached once and pictured at every width and in every appearance. */
export type Scene = {
  /** Its part, and its own name: `hosted-form`. */
  readonly name: string;
  readonly options?: BrowserContextOptions;
  readonly reach: (page: Page) => Promise<unknown>;
  /** Calls to the gateway that stay without an answer, so that a state lasts. It is reached again for every width. */
  readonly unanswered?: string;
  /** Only what the window shows: for very long pages, and for frames, which a picture of the whole page may leave blank. */
  readonly windowOnly?: true;
  /** The part that axe checks, where the whole page would take minutes. */
  readonly checked?: string;
  /** It can be loaded again: a page that opens or scrolls by the width of the window shows what a visitor sees. */
  readonly reloads?: true;
  /** Runs on the page before each picture. */
  readonly prepare?: (page: Page, colorScheme: "light" | "dark") => Promise<unknown>;
};

export type Studio = {
  readonly browser: Browser;
  readonly folder: string;
  readonly widths: readonly number[];
  readonly counts: { shots: number; checked: number };
  /** What has to be fixed, one line each. */
  readonly problems: string[];
};

/** So many pages at a time. Two share one core well, because much of the time is spent waiting. */
const AT_ONCE = 3;
const PATIENCE_MS = 60_000;
/** The longest scene takes two minutes on a busy machine. One that hangs must not hold the rest. */
const SCENE_MS = 600_000;

/** Pictures every scene. One that fails is a problem, and the others go on. */
export async function pictureAll(studio: Studio, scenes: readonly Scene[]): Promise<void> {
  const waiting = [...scenes];
  const work = async () => {
    for (let scene = waiting.shift(); scene !== undefined; scene = waiting.shift()) {
      try {
        if (scene.unanswered === undefined) await pictureInTime(studio, scene);
        else for (const width of studio.widths) await pictureInTime({ ...studio, widths: [width] }, scene);
      } catch (error) {
        note(studio, scene.name, error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** What failed is one problem more; the rest goes on. */
export function note({ problems }: Pick<Studio, "problems">, what: string, error: unknown): void {
  problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
}

async function pictureInTime(studio: Studio, scene: Scene): Promise<void> {
  const context = await studio.browser.newContext({
    viewport: { width: 1280, height: heightFor(1280) },
    reducedMotion: "reduce",
    ...scene.options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`not pictured within ${SCENE_MS / 60_000} minutes`)),
    SCENE_MS,
  );
  try {
    await Promise.race([picture(studio, scene, context), late.promise]);
  } finally {
    clearTimeout(timer);
    await context.close();
  }
}

async function picture(studio: Studio, scene: Scene, context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  if (scene.unanswered !== undefined) await context.route(scene.unanswered, () => {});
  await scene.reach(page);
  // A context ends with its page's last word: a payment may open another page.
  const shown = context.pages().at(-1) ?? page;
  for (const width of studio.widths) {
    await shown.setViewportSize({ width, height: heightFor(width) });
    if (scene.reloads === true) {
      // Loaded in forced colours, Chromium keeps the black of the canvas in the appearances that follow.
      await shown.emulateMedia({ colorScheme: "light", forcedColors: "none" });
      await shown.reload();
    }
    for (const appearance of APPEARANCES) await pictureOnce(studio, shown, scene, { width, appearance });
  }
}

type Look = { readonly width: number; readonly appearance: (typeof APPEARANCES)[number] };

async function pictureOnce(
  { folder, problems, counts }: Studio,
  page: Page,
  { name, options, windowOnly, checked, prepare }: Scene,
  { width, appearance: { name: appearance, colorScheme, forcedColors } }: Look,
): Promise<void> {
  const what = `${name}-${width}-${appearance}`;
  await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: "reduce" });
  await prepare?.(page, colorScheme);
  const path = join(folder, `${what}.png`);
  await page.screenshot({ path, fullPage: windowOnly !== true, animations: "disabled", caret: "hide" });
  counts.shots += 1;
  if (appearance === "light" && (await isBlackAtCorner(page))) problems.push(`${what}: black`);
  const tooWide = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  if (Number(tooWide) > 0) problems.push(`${what}: ${Number(tooWide)} px wider than the window`);
  // axe needs timers, which a page without scripts does not run. The same markup is checked with scripts.
  if (options?.javaScriptEnabled === false) return;
  counts.checked += 1;
  for (const frame of page.frames()) {
    if (frame.url() === "about:blank" || frame.isDetached()) continue;
    for (const problem of await accessibilityProblems(frame, checked)) problems.push(`${what}: ${problem}`);
  }
}

/** The browser can lose the page's ground, which no script sees: see `reload` above. No page of ours has a black one in light. */
async function isBlackAtCorner(page: Page): Promise<boolean> {
  const png = await page.screenshot({ clip: { x: 0, y: 0, width: 1, height: 1 } });
  // The first byte is the row's filter, which changes nothing of a single pixel.
  const [, red, green, blue] = inflateSync(imageData(png));
  return red === 0 && green === 0 && blue === 0;
}

const SIGNATURE = 8;
/** Length, type and check sum of a chunk. */
const AROUND = 12;

/** The compressed image of a PNG, which has it in one or more chunks. */
function imageData(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + AROUND;
  }
  return Buffer.concat(parts);
}

function heightFor(width: number): number {
  return width >= 1280 ? 900 : 844;
}
