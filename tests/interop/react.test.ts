import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { buildReact } from "../../tools/build-react.ts";
import { ensureChromium } from "../../tools/chromium.ts";
import { launchBrowser } from "../support/browser.ts";
import { createRequest, createToken, getRequest, shopOf } from "../support/checkout.ts";
import { checkoutPage, PATIENCE_MS } from "../support/checkout-page.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { blocksOf } from "../support/guide-blocks.ts";
import {
  buildApp,
  copySources,
  installAsShown,
  prepareProject,
  type ReactApp,
  type ReactVersion,
  serveApp,
} from "./start-react-app.ts";

const run = promisify(execFile);
const GUIDE = "docs/guides/embedded-checkout.md";

let gateway: TestGateway;
let browser: Browser;
/** A checkout that has the built package only, at its usual path: the guide's commands run unchanged. */
let checkout: string;
before(async () => {
  ensureChromium();
  checkout = await mkdtemp(join(tmpdir(), "tidegate-react-"));
  const copy = join(checkout, "packages/react");
  await mkdir(copy, { recursive: true });
  buildReact(join(copy, "dist"));
  for (const name of ["package.json", "README.md"]) {
    await copyFile(join("packages/react", name), join(copy, name));
  }
  gateway = await startTestGateway();
  browser = await launchBrowser();
});
after(async () => {
  await browser.close();
  await gateway.stop();
  await rm(checkout, { recursive: true, force: true });
});

const newToken = async (): Promise<{ readonly id: string; readonly token: string }> => {
  const { id } = await createRequest(shopOf(gateway));
  return { id, token: await createToken(shopOf(gateway), id) };
};

for (const version of [18, 19] as const satisfies readonly ReactVersion[]) {
  const project = await prepareProject(version);
  const skip = "obstacle" in project ? project.obstacle : false;
  const folder = "folder" in project ? project.folder : "";

  describe(`@tidegate/react, packed, in a Vite app with React ${version}`, { skip }, () => {
    let hostedUrl: string;
    let tokens: readonly (string | null)[] = [];
    before(async () => {
      hostedUrl = gateway.hostedUrl;
      await copySources(folder);
      const [install = assert.fail()] = (await blocksOf(GUIDE)).filter(
        ({ kind, mark }) => kind === "sh" && mark?.note === "tests/interop/react.test.ts",
      );
      await installAsShown(install.text, checkout, folder);
      await buildApp(folder, "development");
      await buildApp(folder, "production");
    });

    /** One payer's visit; fails on any error that the page logs or throws. */
    async function visit(
      mode: "development" | "production",
      path: string,
      work: (page: Page, context: BrowserContext) => Promise<void>,
    ): Promise<void> {
      const app: ReactApp = await serveApp(folder, mode, () => ({ hostedUrl, tokens }));
      const context = await browser.newContext({ reducedMotion: "reduce" });
      context.setDefaultTimeout(PATIENCE_MS);
      const errors: string[] = [];
      context.on("weberror", (error) => errors.push(String(error.error())));
      context.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
      });
      try {
        const page = await context.newPage();
        await page.goto(app.origin + path);
        await work(page, context);
        assert.deepEqual(errors, []);
      } finally {
        await context.close();
        await app.stop();
      }
    }

    const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
    const scripts = (page: Page) => page.locator('script[src$="/payui.js"]').count();
    const outcome = (page: Page, wanted: RegExp) =>
      eventually(
        `the page shows ${wanted}`,
        async () => wanted.test(await page.locator("#outcome").innerText()),
        PATIENCE_MS,
      );
    async function pay(page: Page): Promise<void> {
      const checkout = checkoutPage(page);
      await checkout.waitFor("ready");
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
    }

    test("the production build takes a payment", async () => {
      const { id, token } = await newToken();
      tokens = [token];
      await visit("production", "/", async (page) => {
        await pay(page);
        await outcome(page, /^approved txn_\S+ first$/);
      });
      assert.equal((await getRequest(shopOf(gateway), id)).paymentRequestStatus, "completed");
    });

    test("StrictMode's second effect leaves one frame and one script, and new handlers do not restart it", async () => {
      tokens = [(await newToken()).token];
      await visit("development", "/", async (page) => {
        await checkoutPage(page).waitFor("ready");
        assert.equal(await page.locator("iframe").count(), 1);
        assert.equal(await scripts(page), 1);
        await checkoutPage(page).number.fill("4111111111111111");
        await click(page, "Change the handler");
        assert.equal((await checkoutPage(page).number.inputValue()).replaceAll(" ", ""), "4111111111111111");
        await pay(page);
        await outcome(page, /^approved txn_\S+ second$/);
      });
    });

    test("it waits for a token, a changed token starts a new checkout, and an unmount removes the frame", async () => {
      const [first, second] = [await newToken(), await newToken()];
      tokens = [null, first.token, second.token];
      await visit("development", "/", async (page) => {
        assert.equal(await page.locator("iframe").count(), 0);
        await click(page, "Next token");
        await checkoutPage(page).waitFor("ready");
        await checkoutPage(page).number.fill("4111111111111111");
        await click(page, "Next token");
        await eventually("the second checkout is empty", async () => {
          await checkoutPage(page).waitFor("ready");
          return (await checkoutPage(page).number.inputValue()) === "";
        });
        await click(page, "Open or close");
        await page.locator("iframe").waitFor({ state: "detached" });
        await click(page, "Open or close");
        await pay(page);
        await outcome(page, /^approved txn_/);
        assert.equal(await page.locator("iframe").count(), 1);
        assert.equal(await scripts(page), 1);
      });
      assert.equal((await getRequest(shopOf(gateway), first.id)).paymentRequestStatus, "created");
      assert.equal((await getRequest(shopOf(gateway), second.id)).paymentRequestStatus, "completed");
    });

    test("the hook reports a script that did not load, and starts again on request", async () => {
      tokens = [(await newToken()).token];
      const app = await serveApp(folder, "development", () => ({ hostedUrl, tokens }));
      const context = await browser.newContext({ reducedMotion: "reduce" });
      context.setDefaultTimeout(PATIENCE_MS);
      try {
        const page = await context.newPage();
        await context.route("**/payui.js", (route) => route.abort());
        await page.goto(`${app.origin}/own-element`);
        await page.locator("#status", { hasText: "failed" }).waitFor();
        assert.match(
          await page.locator("#problem").innerText(),
          /payui\.js did not load\. Check that hostedUrl/,
        );
        assert.equal(await scripts(page), 0);
        await context.unroute("**/payui.js");
        await click(page, "Again");
        await page.locator("#status", { hasText: "ready" }).waitFor();
        assert.equal(await scripts(page), 1);
      } finally {
        await context.close();
        await app.stop();
      }
    });

    test("renderToString works with import and with require, and without a window", async () => {
      for (const [file, head] of [
        ["render.mjs", (name: string, from: string) => `import { ${name} } from "${from}";`],
        ["render.cjs", (name: string, from: string) => `const { ${name} } = require("${from}");`],
      ] as const) {
        const program = [
          head("createElement", "react"),
          head("renderToString", "react-dom/server"),
          head("TidegateCheckout", "@tidegate/react"),
          head("loadTidegate", "@tidegate/react/load"),
          'loadTidegate({ hostedUrl: "http://localhost:4001" });',
          'const props = { hostedUrl: "http://localhost:4001", token: "tok_1", className: "pay" };',
          "console.log(renderToString(createElement(TidegateCheckout, props)));",
        ];
        await writeFile(join(folder, file), program.join("\n"));
        const { stdout } = await run(process.execPath, [join(folder, file)]);
        assert.match(stdout, /^<div id="[^"]+" class="pay"><\/div>\n$/);
      }
    });

    for (const [module, moduleResolution] of [
      ["node16", "node16"],
      ["nodenext", "nodenext"],
      ["preserve", "bundler"],
    ] as const) {
      test(`its types compile in modules and in CommonJS with module ${module}, resolution ${moduleResolution}`, async () => {
        const place = join(folder, `types-${module}`);
        await mkdir(place, { recursive: true });
        const app = await readFile(join(folder, "app.tsx"), "utf8");
        const pages = ["packages/react/README.md", GUIDE];
        const shown = (await Promise.all(pages.map(blocksOf))).flat().filter(({ kind }) => kind === "tsx");
        assert.ok(shown.length >= 3);
        const loader = `import { loadTidegate, type PayUI } from "@tidegate/react/load";
export const start = async (): Promise<void> => {
  const payUI: PayUI = await loadTidegate({ hostedUrl: "http://localhost:4001" });
  payUI.initialise({ token: "tok_1", containerId: "checkout", version: "1.0.0" }).destroy();
};
`;
        for (const kind of ["mts", "cts"]) {
          await writeFile(join(place, `loader.${kind}`), loader);
          await mkdir(join(place, kind), { recursive: true });
          await writeFile(join(place, kind, "app.tsx"), app);
          for (const [at, { text }] of shown.entries())
            await writeFile(join(place, kind, `block-${at}.tsx`), text);
          const type = kind === "mts" ? "module" : "commonjs";
          await writeFile(join(place, kind, "package.json"), JSON.stringify({ type }));
        }
        const wrong = `import { TidegateCheckout } from "@tidegate/react";
// @ts-expect-error: the token is missing
export const page = <TidegateCheckout hostedUrl="http://localhost:4001" />;
`;
        await writeFile(join(place, "mts", "wrong.tsx"), wrong);
        const compilerOptions = {
          noEmit: true,
          strict: true,
          exactOptionalPropertyTypes: true,
          skipLibCheck: false,
          jsx: "react-jsx",
          module,
          moduleResolution,
          target: "es2022",
          lib: ["es2022", "dom", "dom.iterable"],
          types: [],
        };
        await writeFile(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions }));
        const compiled = await run(resolve("node_modules/.bin/tsc"), ["-p", place]).catch(
          (error: unknown) => error as { stdout: string },
        );
        assert.equal(compiled.stdout, "");
      });
    }
  });
}
