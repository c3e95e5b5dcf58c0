import type { Acquirer } from "../../connectors/ports/acquirers.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import type { AcquirerAccount } from "./acquirer-account.ts";
import { listWithoutThreeDSecure } from "./queries.ts";

const offers = ({ connectors }: Pick<Context, "connectors">, connector: string): boolean =>
  connectors.findAcquirerConnector(connector)?.offersThreeDSecure === true;

/**
 * Whether a live merchant has accounts, and none that is active authenticates payers: requests with `3d_secure` are refused.
 * The sandbox simulates 3D Secure for any account.
 */
export function lacksThreeDSecure(
  ctx: Pick<Context, "connectors">,
  { mode }: Pick<Merchant, "mode">,
  accounts: readonly AcquirerAccount[],
): boolean {
  const active = accounts.filter(({ status }) => status === "active");
  return mode === "live" && active.length > 0 && !active.some(({ connector }) => offers(ctx, connector));
}

/** Whether payments of this account can be authenticated. The sandbox's bank authenticates for any account. */
export function authenticates({ mode }: Pick<Merchant, "mode">, { host }: Pick<Acquirer, "host">): boolean {
  return mode === "sandbox" || host.threeDSecure !== undefined;
}

/** Live merchants who may ask for 3D Secure and would be refused. */
export async function merchantsWithoutThreeDSecure(
  ctx: Pick<Context, "db" | "connectors">,
  atMost: number,
): Promise<readonly Id<"merchant">[]> {
  const offering = ctx.connectors.acquirerConnectorNames.filter((name) => offers(ctx, name));
  return listWithoutThreeDSecure(ctx.db, offering, atMost);
}
