/**
 * The floor: the gateway's own client posts the same bytes and headers over keep-alive connections, with the gateway's
 * concurrency and nothing else: no database, no signatures.
 */
import { createEgress } from "../../src/platform/egress/egress.ts";

export type PostOrder = {
  readonly urls: readonly string[];
  readonly atOnceEach: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
};

export type Posted = { readonly acknowledged: number; readonly failed: number; readonly seconds: number };

const egress = createEgress();

async function post({ urls, atOnceEach, body, headers, seconds }: PostOrder): Promise<Posted> {
  let [acknowledged, failed] = [0, 0];
  const started = performance.now();
  const until = started + seconds * 1_000;
  const connection = async (url: string) => {
    while (performance.now() < until) {
      const sent = {
        method: "POST",
        url,
        headers,
        body,
        reach: "public-and-loopback",
        withinMs: 10_000,
      } as const;
      const exchange = await egress.send(sent);
      if (exchange.outcome === "answered" && exchange.status === 200) acknowledged += 1;
      else failed += 1;
    }
  };
  await Promise.all(urls.flatMap((url) => Array.from({ length: atOnceEach }, () => connection(url))));
  return { acknowledged, failed, seconds: (performance.now() - started) / 1_000 };
}

process.on("message", (order: PostOrder) => {
  post(order).then(
    (posted) => process.send?.(posted),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.send?.("ready");
