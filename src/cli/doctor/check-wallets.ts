import { walletExpiries } from "../../app/wallet-expiries.ts";
import type { Settings } from "../../platform/config/settings.ts";
import { daysLeft, RENEW_DAYS } from "./check-machine.ts";
import { type Finding, findings } from "./finding.ts";

const wallets = findings("wallets");

const RENEW = "renew it and restart every node; docs/guides/wallets.md says how";

/** How long the wallets' files stay of use. A file that can't be read is a finding of the key files. */
export async function checkWallets(settings: Settings, now: number): Promise<readonly Finding[]> {
  const expiries = await walletExpiries(settings).catch(() => []);
  return expiries.map(({ setting: { variable }, expiresAt }) => {
    const days = daysLeft(expiresAt, now);
    if (expiresAt <= now)
      return wallets.fail(`what ${variable} names has expired: every payment with this wallet fails`, RENEW);
    return days < RENEW_DAYS
      ? wallets.warn(`what ${variable} names expires in ${days} days`, RENEW)
      : wallets.ok(`${variable}: ${days} days left`);
  });
}
