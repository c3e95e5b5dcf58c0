/** The shop's configuration. */
export type ShopSettings = {
  /** The merchant's API key. It stays on this server. */
  readonly apiKey: string;
  /** The URLs of the gateway's API and of its pages for payers. */
  readonly gatewayUrl: string;
  readonly hostedUrl: string;
  readonly port: number;
  /** The shop's URLs for payers and for the gateway. */
  readonly url: string;
  readonly webhookUrl: string;
  /** The file that keeps the orders; without it they are lost when the shop stops. */
  readonly stateFile: string | undefined;
};

export function readSettings(environment: NodeJS.ProcessEnv): ShopSettings {
  const apiKey = environment["TIDEGATE_API_KEY"];
  if (apiKey === undefined)
    throw new Error("TIDEGATE_API_KEY is not set: it is the API key of your merchant account");
  const port = Number(environment["SHOP_PORT"] ?? 4002);
  const url = environment["SHOP_URL"];
  return {
    apiKey,
    gatewayUrl: environment["TIDEGATE_URL"] ?? "http://localhost:4000",
    hostedUrl: environment["TIDEGATE_HOSTED_URL"] ?? "http://localhost:4001",
    port,
    url: url ?? `http://localhost:${port}`,
    webhookUrl: `${url ?? `http://127.0.0.1:${port}`}/webhooks`,
    stateFile: environment["SHOP_STATE_FILE"],
  };
}
