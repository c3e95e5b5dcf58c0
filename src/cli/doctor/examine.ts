import { openContext } from "../../app/open-context.ts";
import { openDatabasePlace } from "../../app/open-database.ts";
import { SettingProblem } from "../../platform/config/setting.ts";
import { readSettings, type Settings } from "../../platform/config/settings.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { type BinaryFolders, findBinaryProblem, hasCluster } from "../../platform/embedded-postgres/index.ts";
import { checkAddresses } from "./check-addresses.ts";
import { checkMigrations, checkPooler, checkServer, unreachable } from "./check-database.ts";
import { checkKeyFiles } from "./check-key-files.ts";
import { checkLive } from "./check-live.ts";
import { checkDisk, checkFolder, checkNode, checkTls } from "./check-machine.ts";
import { checkReplica } from "./check-replica.ts";
import { checkVault } from "./check-vault.ts";
import { checkWallets } from "./check-wallets.ts";
import { checkThreeDSecure, checkWork } from "./check-work.ts";
import { type Finding, findings } from "./finding.ts";

/** Runs every check without changing anything. */
export async function examine(
  environment: NodeJS.ProcessEnv,
  folders: BinaryFolders = {},
): Promise<readonly Finding[]> {
  const setting = findings("settings");
  let settings: Settings;
  try {
    settings = readSettings(environment);
  } catch (error) {
    if (!(error instanceof SettingProblem)) throw error;
    return [
      checkNode(),
      setting.fail(error.message, "fix that variable; docs/generated/settings.md lists all"),
    ];
  }
  return [
    checkNode(),
    settings.unknownVariables.length === 0
      ? setting.ok("every variable is valid; base and hosted URL are two origins")
      : setting.warn(
          `${settings.unknownVariables.join(", ")}: no setting, without effect`,
          "unset what is not needed; docs/generated/settings.md lists every variable",
        ),
    await checkKeyFiles(settings),
    ...(await checkWallets(settings, Date.now())),
    ...(await examineDatabase(settings, folders)),
    ...(await checkAddresses(settings)),
    checkTls(settings, Date.now()),
  ];
}

async function examineDatabase(settings: Settings, folders: BinaryFolders): Promise<readonly Finding[]> {
  const embedded = settings.databaseUrl === undefined;
  if (embedded && !(await hasCluster(settings.dataDir))) {
    return [checkFolder(settings.dataDir, await findBinaryProblem(folders))];
  }
  const results: Finding[] = embedded ? [checkDisk(settings.dataDir)] : [];
  try {
    const place = await openDatabasePlace(settings, { holdsFolder: false, notice: () => {} });
    try {
      const migrations = await checkMigrations(place.url);
      results.push(migrations);
      const pooler = await checkPooler(settings);
      results.push(...pooler);
      // No other check gets an answer through it.
      if (pooler.some(({ status }) => status === "fail")) return results;
      // Opening a context migrates the database; the operator decides about that.
      if (migrations.status !== "ok") return [...results, ...(await examineOutdated(place.url, settings))];
      const { ctx, close } = await openContext(settings);
      try {
        // One after the other: what is known is printed, too, if the database fails a later check.
        results.push(...(await checkServer(ctx.db, settings, Date.now)));
        results.push(...(await checkReplica(ctx.db, settings)));
        results.push(await checkVault(ctx));
        results.push(...(await checkLive(ctx.db, settings, ctx)));
        results.push(...(await checkWork(ctx)));
        results.push(...(await checkThreeDSecure(ctx)));
      } finally {
        await close();
      }
    } finally {
      await place.close();
    }
  } catch (error) {
    results.push(unreachable(error));
  }
  return results;
}

/** What can be said about a database whose schema is not up to date. */
async function examineOutdated(url: string, settings: Settings): Promise<readonly Finding[]> {
  const db = openDatabase({ url, poolSize: 2, preparedStatements: false, onIdleError: () => {} });
  try {
    return await checkLive(db, settings);
  } finally {
    await db.close();
  }
}
