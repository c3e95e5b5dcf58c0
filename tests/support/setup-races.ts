import assert from "node:assert/strict";
import { assertRefused } from "./answers.ts";
import { callApi, createRequest, ok } from "./checkout.ts";
import { inSeconds } from "./deadline-races.ts";
import { eventually } from "./eventually.ts";
import { accepted, onlyOne, ownMerchant, post, type Race } from "./race.ts";
import { startReceiver } from "./receiver.ts";
import { CHECKOUT } from "./request-bodies.ts";

/** Far more than a trial takes, so that each moment tells its step. */
const STEP = 60 * 60;
/** Later than all steps of a trial. */
const EXPIRES_AFTER = 30 * 24 * 60 * 60;

const HEADER = "x-authorization";
const shown = (username: string) => ({ username, password: `password of ${username}` });
const basic = (username: string) => `Basic ${btoa(`${username}:password of ${username}`)}`;

/** A merchant's first settings: none has a row that a call could lock. */
export const SETUP_RACES: readonly Race[] = [
  {
    name: "create a webhook, create one for the same event",
    outcomes: ["first", "second"],
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const receiver = await startReceiver();
      const urls = ["/first", "/second"].map((path) => receiver.url.replace("/hook", path));
      const create = (url: string | undefined) => of(post("/webhooks", { event: "payment_requests", url }));
      return {
        verbs: urls.map(create),
        check: async ([first = [], second = []]) => {
          onlyOne(first, second);
          const isFirst = accepted(first).length === 1;
          for (const answer of [...first, ...second, await create(urls[0])(far)])
            if (answer !== accepted([...first, ...second])[0])
              assertRefused(answer, 409, ["V11910", "/event"]);
          const { webhooks } = ok(await callApi(far, "GET", "/webhooks"));
          const kept = isFirst ? urls[0] : urls[1];
          assert.deepEqual(
            webhooks.map(({ url }: { url: string }) => url),
            [kept],
          );
          await createRequest(near);
          const [received] = await receiver.until(1);
          assert.equal(received?.path, isFirst ? "/first" : "/second");
          await receiver.close();
          return isFirst ? "first" : "second";
        },
      };
    },
  },
  {
    name: "first webhook settings, first webhook settings",
    outcomes: ["first", "second"],
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const receiver = await startReceiver();
      ok(await callApi(near, "POST", "/webhooks", { event: "payment_requests", url: receiver.url }));
      const change = (body: object) => of((shop) => callApi(shop, "PUT", "/webhooks/settings", body));
      return {
        verbs: [change(shown("first")), change(shown("second")), change({ header: "X-Authorization" })],
        check: async (answers) => {
          for (const answer of answers.flat()) ok(answer);
          const { username, header } = ok(await callApi(far, "GET", "/webhooks/settings"));
          assert.equal(header, "X-Authorization", "a change of other fields was lost");
          assert.ok(["first", "second"].includes(username), username);
          await eventually("a delivery carries one change's user name and password", async () => {
            const earlier = receiver.received.length;
            await createRequest(near);
            const received = await receiver.until(earlier + 1);
            return received.at(-1)?.headers[HEADER] === basic(username);
          });
          for (const { headers } of receiver.received)
            assert.ok([undefined, basic("first"), basic("second")].includes(headers[HEADER] as string));
          await receiver.close();
          return username;
        },
      };
    },
  },
];

/** A request is created while its merchant's clock is moved. */
export const CLOCK_RACES: readonly Race[] = [
  {
    name: "advance the clock, create",
    outcomes: ["created first", "advanced first"],
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const before = ok(await tick(near)).currentDateTime;
      const expiryDateTime = inSeconds(EXPIRES_AFTER);
      return {
        verbs: [of(tick), of(post("/paymentrequests", { ...CHECKOUT, expiryDateTime }))],
        check: async ([advanced = [], made = []]) => {
          for (const answer of made) ok(answer);
          const clocks = advanced.map((answer): string => ok(answer).currentDateTime);
          const steps = clocks
            .map((clock) => stepsBetween(before, clock))
            .toSorted((one, other) => one - other);
          assert.deepEqual(
            steps,
            steps.map((_, index) => index + 1),
            "a step of the clock was lost",
          );
          const after = await createRequest(far, { expiryDateTime });
          assert.equal(stepsBetween(before, after.createdDateTime), steps.length);
          const seen = made.map(({ body }) => stepsBetween(before, body.createdDateTime));
          for (const at of seen) assert.ok(at >= 0 && at <= steps.length, `created after ${at} steps`);
          return seen.includes(0) ? "created first" : "advanced first";
        },
      };
    },
  },
];

const tick = post("/sandbox/clock/advance", { seconds: STEP });

const stepsBetween = (one: string, other: string) =>
  Math.round((Date.parse(other) - Date.parse(one)) / (STEP * 1_000));
