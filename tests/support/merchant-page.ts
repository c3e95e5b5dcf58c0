import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Overrides of the default merchant's page. */
export type PageOverrides = {
  readonly token?: string;
  /** Merged into the default configuration. Null: `initialise` is called without any. */
  readonly config?: Readonly<Record<string, unknown>> | null;
  /** `versioned`: the immutable copy, which the browser checks against its published hash. */
  readonly script?: "current" | "versioned";
  /** Runs after `initialise`, before the page's own handlers are attached. It sees `instance`. */
  readonly first?: string;
  /** The width of the container, in CSS. */
  readonly width?: string;
  readonly background?: string;
  /** Added to the page's head, such as a stylesheet. */
  readonly head?: string;
  /** Opens it at the site's name instead of its IP address: a domain that can be registered for Apple Pay. */
  readonly named?: boolean;
  /** Complete HTML that replaces the default page. */
  readonly page?: string;
};

/** A request that the merchant's server received. */
export type SeenByMerchant = { readonly url: string; readonly headers: string; readonly body: string };

/** A small shop on its own origin, different from the hosted pages'. */
export type MerchantSite = {
  readonly origin: string;
  /** Where `/moved` redirects a payer. */
  readonly newOrigin: string;
  readonly seen: readonly SeenByMerchant[];
  /** The URL of a new page. The token is in the page, never in the URL. */
  readonly addressOf: (overrides: PageOverrides) => Promise<string>;
  readonly stop: () => Promise<void>;
};

/** Where hosted pages send payers after the payment; `/moved` redirects there, on another origin. */
const THANKS = "<!doctype html><title>Thanks</title><h1>Thank you for your order</h1>";

export async function startMerchantSite(hostedUrl: string): Promise<MerchantSite> {
  const pages: string[] = [];
  const seen: SeenByMerchant[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = "", headers } = request;
    seen.push({ url, headers: JSON.stringify(headers), body: await bodyOf(request) });
    if (url === "/moved") {
      response.writeHead(302, { Location: `http://localhost:${request.socket.localPort}/thanks` }).end();
      return;
    }
    const page = url === "/thanks" ? THANKS : pages[Number(/^\/pay\/(\d+)$/.exec(url)?.[1])];
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    response.writeHead(page === undefined ? 204 : 200).end(page);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the merchant's site has no port");
  const origin = `http://127.0.0.1:${address.port}`;
  const newOrigin = `http://localhost:${address.port}`;
  return {
    origin,
    newOrigin,
    seen,
    addressOf: async (overrides) => {
      pages.push(
        overrides.page ?? pageOf(overrides, await scriptTag(hostedUrl, overrides.script ?? "current")),
      );
      return `${overrides.named === true ? newOrigin : origin}/pay/${pages.length - 1}`;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function scriptTag(hostedUrl: string, script: "current" | "versioned"): Promise<string> {
  if (script === "current") return `<script src="${hostedUrl}/static/pay/js/payui.js"></script>`;
  const published = await fetch(`${hostedUrl.replace("localhost", "127.0.0.1")}/static/pay/integrity.json`);
  const { "payui.js": integrity, address } =
    ((await published.json()) as Record<string, Record<string, string>>)["1.0.0"] ?? {};
  return `<script src="${hostedUrl}${address}" integrity="${integrity}" crossorigin></script>`;
}

function pageOf(
  { token, config = {}, first = "", width = "auto", background = "#fff", head = "" }: PageOverrides,
  script: string,
): string {
  const configuration =
    config === null ? undefined : { token, containerId: "checkout", version: "1.0.0", ...config };
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harbour Books</title>
<style>body { margin: 0; background: ${background} } h1 { padding: 0 1rem; color: #6b7785; font: 600 1.25rem sans-serif } #checkout { width: ${width}; max-width: 30rem; margin: 0 auto }</style>
${head}${script}</head>
<body><main><h1>Harbour Books</h1><div id="checkout"></div></main>
<script>
window.events = [];
window.instance = SVC.PayUI.initialise(${configuration === undefined ? "" : JSON.stringify(configuration)});
${first}
for (const name of ["initialise", "surchargeUpdate", "process"])
  window.instance.on(name, (payload) => window.events.push({ name, ...payload }));
</script></body>
</html>
`;
}
