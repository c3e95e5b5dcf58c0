import type { AcquirerAnswer } from "../../connectors/card-acquirer.ts";
import { SECOND } from "../../kernel/time.ts";
import type { World } from "../../platform/world.ts";

/** How long we wait for an acquirer. After that the outcome is unknown until it is asked for. */
export const ACQUIRER_DEADLINE = 15 * SECOND;

/** Calls an acquirer with our deadline. A throw and a silence mean the same: nobody knows, so nobody guesses. */
export async function askAcquirer(
  world: World,
  call: () => Promise<AcquirerAnswer>,
): Promise<AcquirerAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<AcquirerAnswer>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "unknown" }), ACQUIRER_DEADLINE);
  });
  try {
    return await Promise.race([call(), silence]);
  } catch (error) {
    world.log.warn({ error }, "the acquirer did not answer");
    return { kind: "unknown" };
  } finally {
    clearTimeout(timer);
  }
}
