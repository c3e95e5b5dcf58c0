import type { Book } from "../connectors/sandbox/book.ts";
import { createSandboxAcquirer } from "../connectors/sandbox/sandbox-acquirer.ts";
import { createSandboxThreeDSecure, type SandboxBank } from "../connectors/sandbox/sandbox-three-d-secure.ts";
import { SECOND } from "../kernel/time.ts";
import { openBook } from "../platform/books/queries.ts";
import { randomText } from "../platform/crypto/secrets.ts";
import type { Database } from "../platform/db/database.ts";
import type { World } from "../platform/world.ts";

/** Who plays the banks: simulators in the sandbox; live connectors are still to come. */
export function createConnectors(db: Database): {
  connectors: World["connectors"];
  sandboxBank: SandboxBank;
} {
  const book: Book = openBook(db, "acquirer");
  const wait = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * SECOND));
  const sandboxBank = createSandboxThreeDSecure(openBook(db, "3d secure"), () => randomText(24));
  const sandbox = { acquirer: createSandboxAcquirer(book, wait), threeDSecure: sandboxBank };
  return { connectors: { sandbox, live: undefined }, sandboxBank };
}
