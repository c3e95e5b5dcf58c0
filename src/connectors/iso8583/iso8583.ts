import type { AcquirerConnector, OpenAccount } from "../ports/acquirer-connector.ts";
import type { AcquirerAnswer, CardAcquirer } from "../ports/card-acquirer.ts";
import { type Account, createAccount, type Parts } from "./account.ts";
import { openAccountDialect } from "./account-dialect.ts";
import { capture, pauseBeforeRepeat, reverse, voidAuthorisation } from "./follow-ups.ts";
import { listPositions } from "./positions.ts";
import { JOURNAL_KEPT } from "./prune-journal.ts";
import { answersWithin, authorise, refund } from "./requests.ts";
import { checkSettings, type Iso8583Settings } from "./settings.ts";
import { testLink } from "./test-link.ts";
import { tlsProblems } from "./tls-files.ts";

/** Connects acquirer accounts to hosts that speak ISO 8583. */
export function createIso8583(parts: Parts): AcquirerConnector {
  return {
    isStanding: true,
    checkSettings: async (given) => {
      const checked = checkSettings(given);
      if ("problems" in checked) return checked.problems;
      const { tls } = checked.settings;
      const opened = await openAccountDialect(checked.settings);
      return [
        ...("problems" in opened ? opened.problems : []),
        ...(tls === null ? [] : await tlsProblems(tls)),
      ];
    },
    keyFilesIn: (given) => {
      const checked = checkSettings(given);
      const keyFile = "problems" in checked ? undefined : checked.settings.tls?.keyFile;
      return keyFile === undefined ? [] : [keyFile];
    },
    open: (account) => {
      const checked = checkSettings(account.settings);
      if ("problems" in checked) throw new Error(checked.problems.join("; "));
      return openAcquirer(parts, account, checked.settings);
    },
  };
}

function openAcquirer(parts: Parts, opened: OpenAccount, settings: Iso8583Settings): CardAcquirer {
  const account: Account = createAccount(parts, opened, settings);
  const oneAtATime = createTurns();
  return {
    can: { inquire: false, repeatRefund: false },
    needs: { cardNumber: true },
    answersWithinMs: answersWithin(settings),
    repeatsWithinMs: pauseBeforeRepeat(settings.responseSeconds),
    authorise: (request, signal) =>
      oneAtATime(request.reference, () =>
        authorise(account, request.isCapturedAtOnce ? "purchase" : "authorisation", request, signal),
      ),
    verify: (request, signal) =>
      oneAtATime(request.reference, () => authorise(account, "verification", request, signal)),
    capture: (request, signal) => oneAtATime(request.reference, () => capture(account, request, signal)),
    void: (request, signal) =>
      oneAtATime(request.reference, () => voidAuthorisation(account, request, signal)),
    refund: (request, signal) => oneAtATime(request.reference, () => refund(account, request, signal)),
    reverse: (request, signal) => oneAtATime(request.reference, () => reverse(account, request, signal)),
    journalKeptMs: JOURNAL_KEPT,
    listPositions: (after, limit) => listPositions(account, after, limit),
    connect: async () => {
      await (await account.link()).open();
    },
    isConnected: account.isUp,
    test: (signal) => testLink(account, signal),
    close: account.close,
  };
}

type Turns = (reference: string, call: () => Promise<AcquirerAnswer>) => Promise<AcquirerAnswer>;

/** Calls of one reference follow one another: a reversal is never on the wire before what it reverses. */
function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return async (reference, call) => {
    const before = last.get(reference);
    const turn = (async () => {
      await before?.catch(() => {});
      return call();
    })();
    last.set(reference, turn);
    try {
      return await turn;
    } finally {
      if (last.get(reference) === turn) last.delete(reference);
    }
  };
}
