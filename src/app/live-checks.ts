import { stat } from "node:fs/promises";
import { listKeyFiles } from "../features/acquirer-accounts/index.ts";
import { hasOpenLiveMerchant } from "../features/merchants/index.ts";
import { SETTINGS, type Settings } from "../platform/config/settings.ts";
import { holdsNoVaultKey } from "../platform/config/vault-settings.ts";
import { WALLET_KEY_FILES } from "../platform/config/wallet-settings.ts";
import type { Context } from "../platform/context.ts";
import { runsUnderSharedUid } from "../platform/embedded-postgres/index.ts";
import { masterKeySource } from "../platform/vault/master/master-key-source.ts";

/** Why this gateway is not fit for live merchants, and how to fix it. */
export type LiveProblem = { readonly says: string; readonly fix: string };

/** A start that was refused. Its message is one line. */
export class UnfitForLive extends Error {
  override readonly name = "UnfitForLive";

  constructor(problems: readonly LiveProblem[]) {
    super(lineOf(problems));
  }
}

/** All problems in one line. */
export function lineOf(problems: readonly LiveProblem[]): string {
  return problems.map(({ says, fix }) => `${says}: ${fix}`).join("; ");
}

/** Refuses to start with an open live merchant on anything that `liveProblems` finds. */
export async function refuseUnfitForLive({ db, settings }: Pick<Context, "db" | "settings">): Promise<void> {
  if (!(await hasOpenLiveMerchant(db))) return;
  const problems = await liveProblems(settings);
  if (problems.length > 0) throw new UnfitForLive(problems);
}

/**
 * Refuses key files of acquirer accounts likewise, once the vault is open. An account whose settings can't be read takes no
 * payments; it does not keep the others from starting.
 */
export async function refuseUnfitAccounts(ctx: Accounts & Pick<Context, "log">): Promise<void> {
  if (!(await hasOpenLiveMerchant(ctx.db))) return;
  const { problems, unreadable } = await accountProblems(ctx);
  for (const subjectId of unreadable) ctx.log.error({ subjectId }, UNREADABLE_SETTINGS);
  if (problems.length > 0) throw new UnfitForLive(problems);
}

/**
 * The one list of what an open live merchant rules out: a start refuses it, `doctor` and `merchant create` name it before.
 * It needs no database, so that `doctor` can judge one that is not migrated yet.
 */
export async function liveProblems(settings: Settings): Promise<readonly LiveProblem[]> {
  return [
    ...(await vaultKeyProblems(settings)),
    ...plainUrlProblems(settings),
    ...sandboxKeyProblems(settings),
    ...secondFactorProblems(settings),
    ...(await keyFileProblems(settings)),
    ...(await sharedUidProblems(settings)),
  ];
}

/** What will refuse the next start. Empty while no live merchant is open. */
export async function nextStartProblems(
  ctx: Accounts & Pick<Context, "settings">,
): Promise<readonly LiveProblem[]> {
  if (!(await hasOpenLiveMerchant(ctx.db))) return [];
  return [...(await liveProblems(ctx.settings)), ...(await accountProblems(ctx)).problems];
}

async function vaultKeyProblems(settings: Settings): Promise<readonly LiveProblem[]> {
  if (holdsNoVaultKey(settings)) return [];
  const source = masterKeySource(settings);
  if (source.isGenerated) {
    return [
      {
        says: "live merchants need a vault key of your own, and the current one was generated for the sandbox",
        fix: "set TIDEGATE_VAULT_KEY or TIDEGATE_VAULT_KEY_FILE, name its shares or a key service, see docs/guides/vault.md",
      },
    ];
  }
  // A file that can't be read is the vault's own refusal.
  const sample = await source.isSample().catch(() => false);
  if (!sample) return [];
  return [
    {
      says: `live merchants need a secret vault key, and ${source.name} is a sample`,
      fix: "set it to 32 random bytes, such as `openssl rand -base64 32` prints",
    },
  ];
}

/** Every setting that holds a public address. */
const PUBLIC_URLS = ["baseUrl", "hostedUrl", "dashboardUrl"] as const;

function plainUrlProblems(settings: Settings): readonly LiveProblem[] {
  const named = PUBLIC_URLS.filter((name) => name !== "dashboardUrl" || settings.dashboardPort !== 0);
  return named
    .filter((name) => settings[name].startsWith("http://"))
    .map((name) => ({
      says: `live merchants need https, and ${SETTINGS[name].variable} is ${settings[name]}`,
      fix: "set it to the https address that merchants and payers use",
    }));
}

function sandboxKeyProblems({ sandboxApiKey }: Settings): readonly LiveProblem[] {
  if (sandboxApiKey === undefined) return [];
  return [
    {
      says: `live merchants need a gateway without demo keys, and ${SETTINGS.sandboxApiKey.variable} is set`,
      fix: "unset it; `tidegate key create` makes a key for the sandbox merchant",
    },
  ];
}

function secondFactorProblems({ secondFactor }: Settings): readonly LiveProblem[] {
  if (secondFactor !== "optional") return [];
  return [
    {
      says: `live merchants need a second factor for operators, and ${SETTINGS.secondFactor.variable} is optional`,
      fix: "unset it, or set it to required",
    },
  ];
}

/** Every setting that names a file with a secret key. */
const KEY_FILES = [
  "vaultKeyFile",
  "textKeyFile",
  "transitTokenFile",
  "transitSecretIdFile",
  "tlsKeyFile",
  ...WALLET_KEY_FILES,
] as const;

export type OpenKeyFile = { readonly namedBy: string; readonly file: string };

/** How to close a key file. */
export const CLOSE_KEY_FILE = "chmod 600 it (640 if root owns it and this service's group reads it)";

/** The key files that other users of this machine can read. */
export async function openKeyFiles(settings: Settings): Promise<readonly OpenKeyFile[]> {
  const named = KEY_FILES.map((name) => ({ namedBy: SETTINGS[name].variable, file: settings[name] }));
  const shares = (settings.vaultKeyShares ?? []).map((file) => ({
    namedBy: SETTINGS.vaultKeyShares.variable,
    file,
  }));
  const checked = await Promise.all(
    [...named, ...shares].map(async ({ namedBy, file }): Promise<readonly OpenKeyFile[]> => {
      return file !== undefined && (await isOpenToOthers(file)) ? [{ namedBy, file }] : [];
    }),
  );
  return checked.flat();
}

async function keyFileProblems(settings: Settings): Promise<readonly LiveProblem[]> {
  return (await openKeyFiles(settings)).map(openFileProblem);
}

function openFileProblem({ namedBy, file }: OpenKeyFile): LiveProblem {
  return {
    says: `live merchants need keys that other users can't read, and ${namedBy} names ${file}, which they can`,
    fix: CLOSE_KEY_FILE,
  };
}

type Accounts = Pick<Context, "db" | "sealedTexts" | "connectors">;

export const UNREADABLE_SETTINGS =
  "the settings of an acquirer account can't be read: it takes no payments until it is added again";

type AccountProblems = {
  readonly problems: readonly LiveProblem[];
  /** Accounts whose settings can't be read. */
  readonly unreadable: readonly string[];
};

/** What `liveProblems` can't see without an open vault: key files that acquirer accounts of live merchants name. */
export async function accountProblems(ctx: Accounts): Promise<AccountProblems> {
  const problems: LiveProblem[] = [];
  const unreadable: string[] = [];
  /** Many accounts name the same file. */
  const judged = new Map<string, Promise<boolean>>();
  const isOpen = (file: string) => {
    const known = judged.get(file) ?? isOpenToOthers(file);
    judged.set(file, known);
    return known;
  };
  for await (const account of listKeyFiles(ctx)) {
    const { accountId } = account;
    if (!account.isReadable) {
      if (unreadable.length < MOST_NAMED) unreadable.push(accountId);
      continue;
    }
    for (const file of account.files) {
      if (!(await isOpen(file))) continue;
      problems.push(openFileProblem({ namedBy: `acquirer account ${accountId}`, file }));
    }
    if (problems.length >= MOST_NAMED) break;
  }
  return { problems, unreadable };
}

/** More would not help an operator: one fix is mostly the fix of all. */
const MOST_NAMED = 10;

/** A group may read what root owns: so secrets reach a service that does not own them (systemd, Kubernetes). */
async function isOpenToOthers(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || process.platform === "win32") return false;
  return (found.mode & (found.uid === 0 ? 0o027 : 0o077)) !== 0;
}

async function sharedUidProblems({ databaseUrl, dataDir }: Settings): Promise<readonly LiveProblem[]> {
  if (databaseUrl !== undefined || !(await runsUnderSharedUid(dataDir))) return [];
  return [
    {
      says: "live merchants need a database under a user of its own, and for root the embedded one runs as `nobody`, which other programs share",
      fix: "start Tidegate as a user of its own, or set DATABASE_URL to a PostgreSQL server",
    },
  ];
}
