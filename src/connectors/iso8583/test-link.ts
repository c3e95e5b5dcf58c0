import type { ConnectionTest } from "../ports/card-acquirer.ts";
import { type Account, DialectUnusable } from "./account.ts";
import type { Link } from "./link.ts";
import { networkProblem } from "./network-messages.ts";

/** Signs on and echoes over a link of its own. It does not sign off: some hosts would sign off the standing link as well. */
export async function testLink(account: Account, signal: AbortSignal): Promise<ConnectionTest> {
  const { host, port, dialect, framing, signOn, tls } = account.settings;
  const began = performance.now();
  const ended = (hasPassed: boolean, detail: string) => ({
    hasPassed,
    milliseconds: Math.round(performance.now() - began),
    detail,
  });
  let link: Link;
  try {
    link = await account.separateLink();
  } catch (error) {
    if (error instanceof DialectUnusable) return ended(false, error.message);
    throw error;
  }
  const abort = () => void link.abort();
  const why = (reason: string) => (signal.aborted ? "no answer in time" : reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    const reason = await link.open();
    if (reason !== undefined) return ended(false, `${host}:${port}: ${why(reason)}`);
    const echo = await link.echo();
    const answered = echo.kind === "answered" ? echo : { ...echo, reason: why(echo.reason) };
    const problem = networkProblem("echo", answered);
    if (problem !== undefined) return ended(false, `${host}:${port}: ${problem}`);
    const done = signOn ? "signed on and echoed" : "echoed";
    return ended(
      true,
      `${host}:${port} ${done} (${dialect}, ${framing}, ${tls === null ? "no TLS" : "TLS"})`,
    );
  } finally {
    signal.removeEventListener("abort", abort);
    await link.abort();
  }
}
