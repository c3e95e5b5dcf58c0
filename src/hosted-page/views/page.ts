import { type Html, html } from "../../../browser/ui/html.ts";
import { PADLOCK } from "../../../browser/ui/icons.ts";
import { merchantText, plainWords } from "../../../browser/ui/merchant-text.ts";
import type { PageState } from "../../../browser/ui/page-state.ts";
import type { Catalogue } from "../../kernel/languages/catalogue.ts";
import { ENGLISH, spoken } from "../../kernel/languages/languages.ts";
import { fill, type Speech } from "../../kernel/languages/speech.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Wallet } from "../../kernel/wallets.ts";
import { type Order, orderSummary } from "./order-summary.ts";

type PageFiles = {
  readonly script: string;
  readonly integrity: string;
  readonly style: string;
  readonly nonce?: string | undefined;
};

export type HostedPageFiles = PageFiles & { readonly wallets: PageFiles; readonly payId: PageFiles };

export type HostedPageModel = {
  readonly language: Catalogue;
  readonly speech: Speech;
  readonly state: PageState;
  /** How the payment stands, for the window's title. Absent before there is anything to say. */
  readonly title?: string;
  readonly mode: Mode;
  readonly merchantName: string;
  /** The card is saved without a charge. */
  readonly savesCard: boolean;
  /** Of a hosted page; a PayID has none. */
  readonly logo?: string;
  readonly order: Order | undefined;
  /** The form, or the payment's status. */
  readonly content: Html;
  /** True: `content` is the form, which has its own line about security. */
  readonly hasForm: boolean;
  /** The data for the script; the page works without it. */
  readonly opening: object | undefined;
  /** The same for the page of a PayID, whose script is another one: its data and its texts. */
  readonly payId?: { readonly opening: object; readonly language: object };
  /** The offered wallets: with any, the page loads the wallet script. */
  readonly wallets?: readonly Wallet[];
  /** The merchant's theme: its stylesheet, and light or dark where that decides it. */
  readonly theme?: { readonly scheme: "light" | "dark" | undefined; readonly style: string };
  /** Where the payer can go instead of paying. */
  readonly cancelUrl?: string | undefined;
  /** The payer returns to an app: the browser stays on this page, so its script shows the outcome. */
  readonly opensApp?: boolean;
  /** Without scripts the page refreshes to this address while the outcome is unknown. */
  readonly refreshAt?: string;
};

/** A page: the order precedes the form but follows an outcome. The merchant's input is only text and an image in it. */
export function hostedPage(
  model: HostedPageModel,
  files: HostedPageFiles,
  /** The nonce of the page's policy, for elements that a wallet's vendor adds. */
  nonce?: string,
): string {
  const { language, speech, state, order, hasForm, wallets = [] } = model;
  const { words } = speech;
  const merchant = plainWords(model.merchantName);
  return document(language, filesOf(model, files, nonce), {
    title:
      model.title === undefined
        ? fill(model.savesCard ? words.saveCardWith : words.payMerchant, { merchant })
        : `${model.title} – ${merchant}`,
    scheme: model.theme?.scheme,
    head: html`${model.payId !== undefined && html`<link rel="stylesheet" href="${files.payId.style}">`}${model.theme !== undefined && html`<link rel="stylesheet" href="${model.theme.style}">`}${model.refreshAt !== undefined && html`<noscript><meta http-equiv="refresh" content="3;url=${model.refreshAt}"></noscript>`}`,
    body: html`<header class="shop${order === undefined && " hosted-single"}">${model.logo !== undefined && html`<img class="shop-logo" src="${model.logo}" alt="" height="40">`}<p class="shop-name">${merchantText(model.merchantName)}</p></header>
<main class="hosted${order === undefined && " hosted-single"}" data-state="${state}" tabindex="-1"${model.opensApp === true && html` data-opens-app`}${model.opening !== undefined && html` data-opening="${JSON.stringify(model.opening)}"${scriptLanguage(language, wallets.length > 0)}`}${model.payId !== undefined && html` data-payid="${JSON.stringify(model.payId.opening)}" data-language="${JSON.stringify(model.payId.language)}"`}>
${order !== undefined && hasForm && orderSummary(model, order, "before")}
<div class="surface payment">
<div id="form-place"${!hasForm && html` hidden`}>${hasForm && model.content}${hasForm && model.cancelUrl !== undefined && cancelLink(model.cancelUrl, language)}</div>
<div id="panel-place"${hasForm && html` hidden`}>${!hasForm && model.content}</div>
<p class="visually-hidden" id="announcer" role="status"></p>
</div>
${order !== undefined && !hasForm && orderSummary(model, order, "after")}
</main>
${!hasForm && signature(speech, model.mode)}`,
  });
}

function filesOf(
  { payId, wallets = [] }: HostedPageModel,
  files: HostedPageFiles,
  nonce: string | undefined,
): readonly PageFiles[] {
  if (payId !== undefined) return [{ ...files.payId, style: files.style }];
  return [files, ...(wallets.length > 0 ? [{ ...files.wallets, nonce }] : [])];
}

/** The hashes of the scripts of a page, for its policy. */
export function scriptHashes(model: HostedPageModel, files: HostedPageFiles): readonly string[] {
  return filesOf(model, files, undefined).map(({ integrity }) => integrity);
}

/** The texts for the script, which has the English ones. */
function scriptLanguage(language: Catalogue, wallets: boolean): Html | false {
  return language !== ENGLISH && html` data-language="${JSON.stringify(spoken(language, wallets))}"`;
}

/** A plain link: following it changes nothing, and the payer can come back. */
function cancelLink(url: string, { page }: Catalogue): Html {
  return html`<p class="ways cancel"><a class="quiet quiet-link" href="${url}" rel="noreferrer">${page.cancelAndReturn}</a></p>`;
}

/** A page without a payment: an unknown address, or an error in the gateway. */
export function lostPage(language: Catalogue, content: Html, files: HostedPageFiles): string {
  return document(language, [files], {
    title: language.page.paymentPage,
    head: html``,
    body: html`<main class="hosted hosted-single" data-state="error" tabindex="-1"><div class="surface payment">${content}</div></main>`,
  });
}

function signature({ words }: Speech, mode: Mode): Html {
  return html`<footer class="signature"><span class="secured">${PADLOCK}${words.secured}</span>${mode === "sandbox" && html`<span class="sandbox">${words.sandbox}</span>`}</footer>`;
}

/** The page's own script runs last, after the wallet script that it uses. */
function inReverse(files: readonly PageFiles[]): readonly PageFiles[] {
  return [...files].reverse();
}

type Parts = {
  readonly title: string;
  readonly head: Html;
  readonly body: Html;
  readonly scheme?: "light" | "dark" | undefined;
};

function document(
  { tag, direction }: Catalogue,
  files: readonly PageFiles[],
  { title, head, body, scheme }: Parts,
): string {
  return html`<!doctype html>
<html lang="${tag}"${direction === "rtl" && html` dir="rtl"`}${scheme !== undefined && html` data-theme="${scheme}"`}>
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${files.map(({ style }) => html`<link rel="stylesheet" href="${style}">`)}
${inReverse(files).map(({ script, integrity, nonce }) => html`<script src="${script}"${nonce !== undefined && html` nonce="${nonce}"`} integrity="${integrity}" defer></script>`)}
${head}
</head>
<body class="hosted-page">
${body}
</body>
</html>
`.html;
}
