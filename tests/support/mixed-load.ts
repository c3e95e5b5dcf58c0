import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";
import { callApi, ok, type Shop } from "./checkout.ts";
import type { TestDatabase } from "./database.ts";
import { type Answered, type Kind, nothingAnswered } from "./mixed-load/answered.ts";
import * as cards from "./mixed-load/card-steps.ts";
import * as customers from "./mixed-load/customer-steps.ts";
import * as expiry from "./mixed-load/expiry-steps.ts";
import {
  Interrupted,
  isInterruption,
  type Lane,
  type LoadMerchant,
  type LoadNode,
} from "./mixed-load/lane.ts";
import * as rails from "./mixed-load/rail-steps.ts";
import * as requests from "./mixed-load/request-steps.ts";
import * as settings from "./mixed-load/setting-steps.ts";
import { makeMerchant } from "./operator.ts";
import { pick } from "./random.ts";
import { startReceiver } from "./receiver.ts";

export type Load = {
  readonly answered: Answered;
  /** The kinds of work that this load does and has not done yet. */
  readonly missing: () => readonly Kind[];
  /** Lets each lane finish its step. Throws the first wrong answer. */
  readonly stop: () => Promise<void>;
  /** Throws a wrong answer, if there was one. */
  readonly check: () => void;
  /** Lanes finish what they do and begin nothing new until this promise ends. */
  readonly hold: (until: Promise<unknown>) => void;
  /** Whether a step that is under way has called the node. */
  readonly isUsing: (node: LoadNode) => boolean;
};

/** Payments from one address with one card, of which many are declined, look like card testing. */
export const NO_LIMITS = `update merchants set card_testing = '{"address": 1000000, "bin": 1000000, "card": 1000000, "merchant": 1000000}'`;

/** Creates merchants whose endpoints receive every event. */
export async function openMerchants(
  database: TestDatabase,
  node: LoadNode,
  count: number,
): Promise<readonly LoadMerchant[]> {
  const merchants: LoadMerchant[] = [];
  for (let made = 0; made < count; made += 1) {
    const { id, key } = await makeMerchant(database, "sandbox", "AU");
    const receiver = await startReceiver();
    const shop = { ...node, key };
    ok(await callApi(shop, "POST", "/webhooks", { event: "*", url: receiver.url }));
    ok(await callApi(shop, "PUT", "/management/account", { surcharging: cards.SURCHARGING }));
    merchants.push({ id, key, receiver });
  }
  await database.rows(NO_LIMITS);
  return merchants;
}

type Step = {
  readonly run: (lane: Lane) => Promise<void>;
  readonly weight: number;
  /** What it may do; a load prefers steps that do what is missing. */
  readonly does?: readonly Kind[];
  /** `shared`: by seconds, of a merchant that other lanes use. `own`: by days. */
  readonly movesClock?: "shared" | "own";
};

const STEPS: readonly Step[] = [
  { run: cards.payWithAnyCard, weight: 3, does: ["card payments"] },
  { run: cards.passChallenge, weight: 1, does: ["challenges"] },
  { run: cards.refund, weight: 3, does: ["card refunds"] },
  { run: cards.tryAgain, weight: 1, does: ["second attempts"] },
  { run: cards.paySurcharge, weight: 1, does: ["surcharged payments"] },
  { run: cards.capture, weight: 1, does: ["captures"] },
  { run: cards.captureInPart, weight: 1, does: ["partial captures"] },
  { run: cards.voidPayment, weight: 1, does: ["voids"] },
  { run: cards.captureAndVoid, weight: 1 },
  { run: cards.captureTwice, weight: 1 },
  { run: cards.respondToDispute, weight: 1, does: ["defended disputes", "accepted disputes"] },
  { run: rails.directDebit, weight: 2, does: ["debits"] },
  { run: rails.refundDebit, weight: 1, does: ["debit refunds"] },
  { run: rails.payByPayId, weight: 3, does: ["PayID payments", "PayID refunds"] },
  { run: customers.chargeStoredCard, weight: 3, does: ["stored cards", "charges of stored cards"] },
  { run: customers.deleteCard, weight: 1, does: ["deleted cards"] },
  { run: customers.changeCustomer, weight: 1, does: ["changed customers"] },
  { run: requests.cancelRequest, weight: 1, does: ["cancelled requests"] },
  { run: requests.createWithKey, weight: 2, does: ["repeated creates"] },
  { run: requests.read, weight: 1 },
  { run: settings.payByWallet, weight: 1, does: ["card payments"] },
  { run: settings.changeEndpoint, weight: 1 },
  { run: settings.redeliver, weight: 1 },
  { run: settings.changeAccount, weight: 1 },
  { run: requests.nudgeClock, weight: 1, movesClock: "shared" },
  { run: expiry.expireRequests, weight: 1, does: ["expired requests", "late transfers"], movesClock: "own" },
  { run: expiry.expireAuthorisation, weight: 1, does: ["expired authorisations"], movesClock: "own" },
  { run: expiry.letDisputeLapse, weight: 1, does: ["lapsed disputes"], movesClock: "own" },
];

/** Of each step, while something is missing: that it is one which may do it. */
const PREFERRED = 0.8;

/** Uses every rail at once, in several lanes, at whichever nodes there are, until it is stopped. */
export function startLoad(options: {
  readonly nodes: () => readonly LoadNode[];
  readonly merchants: readonly LoadMerchant[];
  /** One for each of the first lanes, which move its clock by days. Without any, nothing expires. */
  readonly ahead?: readonly LoadMerchant[];
  readonly random: () => number;
  readonly lanes: number;
  /** False for gateways whose clocks the test moves itself. */
  readonly movesClocks?: boolean;
  /** Receives each broken connection and each 503. */
  readonly onInterruption?: (error: unknown) => void;
  /** Of an earlier load that this one goes on with. */
  readonly answered?: Answered;
}): Load {
  const {
    nodes,
    merchants,
    ahead = [],
    random,
    lanes,
    movesClocks = true,
    onInterruption = () => {},
    answered = nothingAnswered(),
  } = options;
  const { counts, done } = answered;
  let running = true;
  let held: Promise<unknown> | undefined;
  let wrong: unknown;
  const stepsOf = (hasOwn: boolean) =>
    STEPS.filter(
      ({ movesClock }) => movesClock === undefined || (movesClocks && (movesClock === "shared" || hasOwn)),
    );
  const missing = () =>
    stepsOf(ahead.length > 0).flatMap(({ does = [] }) => does.filter((kind) => done[kind].length === 0));
  const used = Array.from({ length: lanes }, () => new Set<string>());
  const runLane = async (number: number) => {
    const as = (merchant: LoadMerchant) => (): Shop => {
      counts.requests += 1;
      const there = nodes();
      if (there.length === 0) throw new Interrupted();
      const node = pick(random, there);
      used[number]?.add(node.baseUrl);
      return { ...node, key: merchant.key };
    };
    const own = ahead[number];
    const lane: Lane = {
      at: as(merchants[number % merchants.length] as LoadMerchant),
      ahead: own && as(own),
      random,
      counts,
      done: (kind, id) => done[kind].push(id),
      name: `lane-${number}`,
    };
    const steps = stepsOf(own !== undefined);
    const weighted = steps.flatMap((step) => Array.from({ length: step.weight }, () => step));
    const nextStep = () => {
      const kinds = new Set(missing());
      const preferred = steps.filter(({ does = [] }) => does.some((kind) => kinds.has(kind)));
      return pick(random, preferred.length > 0 && random() < PREFERRED ? preferred : weighted);
    };
    while (running && wrong === undefined) {
      await held;
      try {
        used[number]?.clear();
        await nextStep().run(lane);
      } catch (error) {
        if (!isInterruption(error)) {
          wrong = error;
          return;
        }
        counts.interrupted += 1;
        onInterruption(error);
        await pause(20);
      }
    }
  };
  const all = Array.from({ length: lanes }, (_, number) => runLane(number));
  const check = () => {
    if (wrong !== undefined) throw wrong instanceof Error ? wrong : new Error(inspect(wrong));
  };
  return {
    answered,
    missing,
    check,
    hold: (until) => {
      held = until.catch(() => {});
    },
    isUsing: ({ baseUrl }) => used.some((nodesInUse) => nodesInUse.has(baseUrl)),
    stop: async () => {
      running = false;
      await Promise.all(all);
      check();
    },
  };
}
