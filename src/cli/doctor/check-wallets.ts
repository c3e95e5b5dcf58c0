import { walletExpiries } from "../../app/wallet-expiries.ts";
import type { Settings } from "../../platform/config/settings.ts";
import { daysLeft, RENEW_DAYS } from "./check-machine.ts";
import { type Finding, findings } from "./finding.ts";

const wallets = findings("wallets");

/** How long the wallets' files stay of use. One that can't be used now is a finding of the key files. */
export async function checkWallets(settings: Settings, now: number): Promise<readonly Finding[]> {
  const expiries = await walletExpiries(settings).catch(() => []);
  return expiries
    .filter(({ expiresAt }) => expiresAt > now)
    .map(({ setting: { variable }, expiresAt }) => {
      const days = daysLeft(expiresAt, now);
      return days < RENEW_DAYS
        ? wallets.warn(
            `what ${variable} names expires in ${days} days`,
            "renew it and restart every node; docs/guides/wallets.md says how",
          )
        : wallets.ok(`${variable}: ${days} days left`);
    });
}
