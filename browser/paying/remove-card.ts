import type { CallGateway } from "./call-gateway.ts";

const TIMEOUT_MS = 20_000;

/** Removes a saved card for good. Repeating it is harmless. */
export async function removeCard(call: CallGateway, id: string): Promise<boolean> {
  return (await call("/checkout/remove-card", { id }, TIMEOUT_MS)).kind === "answered";
}
