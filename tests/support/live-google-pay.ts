import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Shop, shopOf } from "./checkout.ts";
import type { TestGateway } from "./gateway.ts";
import { createGoogle } from "./google-sender.ts";

/** Live Google Pay as an operator sets it up, with the keys of a fake Google in files. */
export type LiveGooglePay = {
  readonly environment: Readonly<Record<string, string>>;
  /** A live merchant that accepts cards and Google Pay. The gateway needs an acquirer for it: `withLiveAcquirer`. */
  readonly newShop: (gateway: TestGateway) => Promise<Shop>;
  readonly remove: () => void;
};

export function liveGooglePay(): LiveGooglePay {
  const folder = mkdtempSync(join(tmpdir(), "tidegate-google-"));
  const { rootKeysJson, privateKeyPem } = createGoogle();
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return {
    environment: {
      TIDEGATE_GOOGLE_PAY_GATEWAY_ID: "test",
      TIDEGATE_GOOGLE_PAY_MERCHANT_ID: "BCR2DN4T7",
      TIDEGATE_GOOGLE_PAY_KEY_FILE: file("google.key", String(privateKeyPem)),
      TIDEGATE_GOOGLE_PAY_ROOT_KEYS_FILE: file("roots.json", rootKeysJson),
    },
    newShop: async (gateway) => {
      const { id, key } = await gateway.newMerchant({ mode: "live" });
      const capabilities = JSON.stringify({ cardNotPresent: true, googlePay: true });
      await gateway.database.rows("update merchants set capabilities = $2 where id = $1", [id, capabilities]);
      return shopOf(gateway, key);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
