import { createServer } from "node:http";

const PAGE = "<!doctype html><title>Pay</title><h1>Pay $30.00</h1>";

/** A minimal page: some text, no script, no style. */
export async function serveBarePage(stage: AsyncDisposableStack): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8").end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stage.defer(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the bare page has no port");
  return `http://127.0.0.1:${address.port}/`;
}
