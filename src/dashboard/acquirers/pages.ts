import {
  type AcquirerAccount,
  addAccount,
  listAccounts,
  orderAccounts,
  setAccountStatus,
  testAccount,
} from "../../features/acquirer-accounts/index.ts";
import { CARD_TYPES } from "../../kernel/card-type.ts";
import { jsonIn } from "../../kernel/json.ts";
import { CURRENCIES } from "../../kernel/money.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { confirmedMerchantPages } from "../shell/confirmed-pages.ts";
import {
  type MerchantPage,
  type MerchantVisit,
  merchantPage,
  type PageAnswer,
  redirect,
} from "../shell/page.ts";
import { acquirersView, type FormInput } from "./view.ts";

const home = ({ base }: MerchantVisit) => `${base}/acquirers`;

type AccountVisit = MerchantVisit<"{acquirerAccountId}">;

export const acquirerPages: readonly MerchantPage[] = [
  merchantPage({
    method: "GET",
    path: "/acquirers",
    right: "operate",
    run: (ctx, visit) => show(ctx, visit),
  }),
  merchantPage({
    method: "POST",
    path: "/acquirers/add",
    right: "operate",
    needsProof: true,
    audit: "acquirer account added",
    claimsOnce: true,
    run: async (ctx, visit) => {
      const { fields } = visit;
      const input: FormInput = {
        connector: fields["connector"] ?? "",
        settings: fields["settings"] ?? "",
        currencies: CURRENCIES.filter((one) => fields[`currency-${one}`] === "on"),
        cardTypes: CARD_TYPES.filter((one) => fields[`card-${one}`] === "on"),
      };
      const settings = jsonIn(input.settings);
      if (settings === undefined)
        return show(ctx, visit, {
          input,
          problems: [
            "The settings are not JSON that is accepted: check brackets, commas, repeated names and nesting.",
          ],
        });
      const added = await addAccount(ctx, visit.merchant, { ...input, settings });
      return "problems" in added
        ? show(ctx, visit, { input, problems: added.problems })
        : redirect(home(visit), "The account takes payments from now on, on every node within seconds.");
    },
  }),
  merchantPage({
    method: "POST",
    path: "/acquirers/{acquirerAccountId}/test",
    right: "operate",
    audit: "acquirer account tested",
    backTo: home,
    run: async (ctx, visit) => {
      const account = await accountOf(ctx, visit);
      const { hasPassed, milliseconds, detail } = await testAccount(ctx, account);
      const words = `${hasPassed ? "Connected" : "Not connected"} after ${milliseconds} ms. ${detail}`;
      return redirect(home(visit), words, hasPassed ? "good" : "bad");
    },
  }),
  merchantPage({
    method: "POST",
    path: "/acquirers/{acquirerAccountId}/first",
    right: "operate",
    needsProof: true,
    audit: "acquirer account put first",
    backTo: home,
    run: async (ctx, visit) => {
      await orderAccounts(ctx, visit.merchant, [(await accountOf(ctx, visit)).id]);
      return redirect(home(visit), "Payments use this account first.");
    },
  }),
  merchantPage({
    method: "POST",
    path: "/acquirers/{acquirerAccountId}/enable",
    right: "operate",
    needsProof: true,
    audit: "acquirer account enabled",
    backTo: home,
    run: async (ctx, visit) => {
      const enabled = await setAccountStatus(ctx, (await accountOf(ctx, visit)).id, "enable");
      if (enabled !== undefined && "problems" in enabled)
        return redirect(home(visit), `Not enabled: ${enabled.problems.join(" ")}.`, "bad");
      return redirect(home(visit), "The account takes payments again.");
    },
  }),
  ...confirmedMerchantPages("acquirers", {
    path: "/acquirers/{acquirerAccountId}/disable",
    right: "operate",
    needsProof: true,
    audit: "acquirer account disabled",
    backTo: home,
    confirm: async (ctx, visit) => {
      const { id, connector } = await accountOf(ctx, visit);
      const accounts = await listAccounts(ctx.db, visit.merchant.id);
      const others = accounts.filter((one) => one.id !== id && one.status === "active").length;
      return {
        title: "Disable the account?",
        words: [
          `No new payment goes to ${connector} account ${id}. Captures, voids and refunds of its earlier payments still go there.`,
          others === 0
            ? "It is the only active account: this merchant cannot take card payments until you enable one."
            : "Payments use the merchant's other active accounts.",
        ],
        button: "Disable the account",
      };
    },
    run: async (ctx, visit) => {
      await setAccountStatus(ctx, (await accountOf(ctx, visit)).id, "disable");
      return redirect(home(visit), "The account takes no new payments, on every node within seconds.");
    },
  }),
];

async function accountOf(ctx: Context, { merchant, params }: AccountVisit): Promise<AcquirerAccount> {
  const accounts = await listAccounts(ctx.db, merchant.id);
  return accounts.find(({ id }) => id === params.acquirerAccountId) ?? refuse("resource_not_found");
}

async function show(
  ctx: Context,
  visit: MerchantVisit,
  refused?: { readonly input: FormInput; readonly problems: readonly string[] },
): Promise<PageAnswer> {
  const accounts = await listAccounts(ctx.db, visit.merchant.id);
  const connectors = ctx.connectors.acquirerConnectorNames;
  const content = acquirersView(visit, { accounts, connectors, refused });
  return { title: "Acquirers", section: "acquirers", content, status: refused === undefined ? 200 : 400 };
}
