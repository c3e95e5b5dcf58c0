import { type Html, html } from "../../../browser/ui/html.ts";
import { badge } from "./parts/badge.ts";
import { hiddenToken } from "./parts/form.ts";
import { type Notice, notice } from "./parts/notice.ts";

export type DashboardFiles = { readonly script: string; readonly style: string };

/** The places of the navigation. Each is the path under the merchant's own. */
export const SECTIONS = [
  { path: "", name: "Overview" },
  { path: "payment-requests", name: "Payment requests" },
  { path: "transactions", name: "Transactions" },
  { path: "refunds", name: "Refunds" },
  { path: "customers", name: "Customers" },
  { path: "payouts", name: "Payouts" },
  { path: "events", name: "Events" },
  { path: "webhooks", name: "Webhooks" },
  { path: "keys", name: "API keys" },
  { path: "settings", name: "Settings" },
  { path: "sandbox", name: "Sandbox" },
] as const;
export type Section = (typeof SECTIONS)[number]["path"];

export type ShownMerchant = { readonly id: string; readonly name: string; readonly mode: "sandbox" | "live" };

/** Whoever looks at a page, and at which merchant. */
export type Viewer = {
  readonly name: string;
  readonly role: "operator" | "admin" | "staff" | "viewer";
  /** Goes into every form: without it nothing is taken. */
  readonly formToken: string;
  /** None on pages about no merchant. */
  readonly merchant: ShownMerchant | undefined;
  /** Those that an operator can switch to; few enough to choose from, or none. */
  readonly merchants: readonly ShownMerchant[];
};

export type DashboardPage = {
  readonly title: string;
  readonly viewer: Viewer;
  readonly section?: Section | undefined;
  readonly content: Html;
  readonly notice?: Notice | undefined;
  /** A form was refused: said first by those who read the page's title aloud. */
  readonly refused?: boolean;
  readonly state?: "ready" | "error";
};

/** Where a merchant's pages begin. The merchant is in every address, so that two tabs can't be mistaken for each other. */
export function merchantBase(merchantId: string): string {
  return `/dashboard/${merchantId}`;
}

/** A whole page for somebody who is signed in. */
export function dashboardPage(page: DashboardPage, files: DashboardFiles): string {
  const { title, viewer, content, state = "ready" } = page;
  return document(files, {
    title: page.refused === true ? `Problem: ${title}` : title,
    body: html`<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="/dashboard">${MARK}<span>Tidegate</span></a>
${switcher(viewer, page.section)}
<nav class="mine" aria-label="You">
${viewer.role === "operator" && html`<a href="/dashboard/merchants">Merchants</a>`}
${(viewer.role === "operator" || viewer.role === "admin") && html`<a href="/dashboard/users">Users</a>`}
<a href="/dashboard/account">${viewer.name}</a>
<form method="post" action="/dashboard/signout">${hiddenToken(viewer.formToken)}<button class="plain">Sign out</button></form>
</nav>
</header>
<div class="${viewer.merchant === undefined ? "body body-narrow" : "body"}">
${viewer.merchant !== undefined && navigation(viewer.merchant, page.section)}
<main id="content" tabindex="-1" data-state="${state}">
${page.notice !== undefined && notice(page.notice)}
<h1>${title}</h1>
${content}
</main>
</div>`,
  });
}

/** A page for somebody who is not: one card in the middle. */
export function signInPage(
  page: Pick<DashboardPage, "title" | "content" | "notice" | "state">,
  files: DashboardFiles,
): string {
  return document(files, {
    title: page.title,
    body: html`<main class="door" id="content" tabindex="-1" data-state="${page.state ?? "ready"}">
<p class="brand">${MARK}<span>Tidegate</span></p>
<div class="card">
<h1>${page.title}</h1>
${page.notice !== undefined && notice(page.notice)}
${page.content}
</div>
</main>`,
  });
}

function switcher({ merchant, merchants }: Viewer, section: Section | undefined): Html {
  if (merchant === undefined) return html`<div class="where"></div>`;
  const mode = badge(merchant.mode, merchant.mode === "live" ? "live" : "quiet");
  if (merchants.length < 2) return html`<div class="where"><strong>${merchant.name}</strong>${mode}</div>`;
  return html`<form class="where" method="get" action="/dashboard/switch">
<input type="hidden" name="section" value="${section ?? ""}">
<label class="visually-hidden" for="switch">Merchant</label>
<select id="switch" name="merchant" data-submit>${merchants.map(
    ({ id, name, mode: itsMode }) =>
      html`<option value="${id}"${id === merchant.id && html` selected`}>${name}${itsMode === "live" ? " (live)" : ""}</option>`,
  )}</select>
<button class="small">Show</button>${mode}
</form>`;
}

function navigation({ id, mode }: ShownMerchant, current: Section | undefined): Html {
  const shown = SECTIONS.filter(({ path }) => path !== "sandbox" || mode === "sandbox");
  const links = shown.map(({ path, name }) => {
    const href = path === "" ? merchantBase(id) : `${merchantBase(id)}/${path}`;
    return html`<li><a href="${href}"${path === current && html` aria-current="page"`}>${name}</a></li>`;
  });
  return html`<nav class="sections" aria-label="Sections"><ul>${links}</ul></nav>`;
}

/** A gate, and the tide before it. */
const MARK = html`<svg class="mark" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="M4 4v11M12 4v11M20 4v11" /><path class="wave" d="M2 19c2.5-2 4.2-2 6.7 0s4.2 2 6.6 0 4.2-2 6.7 0" /></svg>`;

function document({ script, style }: DashboardFiles, { title, body }: { title: string; body: Html }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Tidegate</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="same-origin">
<link rel="stylesheet" href="${style}">
<script src="${script}" defer></script>
</head>
<body>
${body}
</body>
</html>
`.html;
}
