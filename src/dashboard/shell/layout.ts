import { type Html, html } from "../../../browser/ui/html.ts";
import type { Mode } from "../../kernel/mode.ts";
import { badge } from "./parts/badge.ts";
import { hiddenToken } from "./parts/form.ts";
import { type Notice, notice } from "./parts/notice.ts";

export type DashboardFiles = {
  readonly script: string;
  readonly integrity: string;
  readonly style: string;
};

/** The navigation. Each path is below the merchant's own. */
export const SECTIONS = [
  { path: "", name: "Overview" },
  { path: "payment-requests", name: "Payment requests" },
  { path: "transactions", name: "Transactions" },
  { path: "refunds", name: "Refunds" },
  { path: "disputes", name: "Disputes" },
  { path: "customers", name: "Customers" },
  { path: "payouts", name: "Payouts" },
  { path: "events", name: "Events" },
  { path: "webhooks", name: "Webhooks" },
  { path: "keys", name: "API keys" },
  { path: "acquirers", name: "Acquirers" },
  { path: "settings", name: "Settings" },
  { path: "sandbox", name: "Sandbox" },
] as const;
export type Section = (typeof SECTIONS)[number]["path"];

export type ShownMerchant = { readonly id: string; readonly name: string; readonly mode: Mode };

/** The user who views a page, and the merchant of the page. */
export type Viewer = {
  readonly name: string;
  readonly role: "operator" | "admin" | "staff" | "viewer";
  /** Every form carries it; without it a form is refused. */
  readonly formToken: string;
  /** None on pages of no merchant. */
  readonly merchant: ShownMerchant | undefined;
  /** The merchants that an operator can switch to; empty when they are too many for a list. */
  readonly merchants: readonly ShownMerchant[];
};

export type DashboardPage = {
  readonly title: string;
  readonly viewer: Viewer;
  readonly section?: Section | undefined;
  readonly content: Html;
  readonly notice?: Notice | undefined;
  /** A form was refused: the title says so, because screen readers read it first. */
  readonly refused?: boolean;
  readonly state?: "ready" | "error";
};

/** The prefix of a merchant's pages. The merchant is in every URL, so two tabs can't be confused. */
export function merchantBase(merchantId: string): string {
  return `/dashboard/${merchantId}`;
}

/** A page for a signed-in user. */
export function dashboardPage(page: DashboardPage, files: DashboardFiles): string {
  const { title, viewer, content, state = "ready" } = page;
  return document(files, {
    title: page.refused === true ? `Problem: ${title}` : title,
    body: html`<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="/dashboard">${MARK}<span>Tidegate</span></a>
${switcher(viewer, page.section)}
<nav class="mine" aria-label="You">
${viewer.role === "operator" && html`<a href="/dashboard/merchants">Merchants</a><a href="/dashboard/page-reports">Page reports</a>`}
${(viewer.role === "operator" || viewer.role === "admin") && html`<a href="/dashboard/users">Users</a>`}
<a href="/dashboard/account">${viewer.name}</a>
<form method="post" action="/dashboard/signout">${hiddenToken(viewer.formToken)}<button class="plain">Sign out</button></form>
</nav>
</header>
<div class="${viewer.merchant === undefined ? "body body-narrow" : "body"}">
${viewer.merchant !== undefined && navigation(viewer.merchant, viewer.role, page.section)}
<main id="content" tabindex="-1" data-state="${state}">
${page.notice !== undefined && notice(page.notice)}
<h1>${title}</h1>
${content}
</main>
</div>`,
  });
}

/** A page for a visitor without a session: one card in the middle. */
export function signInPage(
  page: Pick<DashboardPage, "title" | "content" | "notice" | "state">,
  files: DashboardFiles,
): string {
  return document(files, {
    title: page.title,
    body: html`<main class="sign-in" id="content" tabindex="-1" data-state="${page.state ?? "ready"}">
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
<select id="switch" name="merchant">${merchants.map(
    ({ id, name, mode: itsMode }) =>
      html`<option value="${id}"${id === merchant.id && html` selected`}>${name}${itsMode === "live" ? " (live)" : ""}</option>`,
  )}</select>
<button class="small">Show</button>${mode}
</form>`;
}

function navigation({ id, mode }: ShownMerchant, role: Viewer["role"], current: Section | undefined): Html {
  const shown = SECTIONS.filter(
    ({ path }) => (path !== "sandbox" || mode === "sandbox") && (path !== "acquirers" || role === "operator"),
  );
  const links = shown.map(({ path, name }) => {
    const href = path === "" ? merchantBase(id) : `${merchantBase(id)}/${path}`;
    return html`<li><a href="${href}"${path === current && html` aria-current="page"`}>${name}</a></li>`;
  });
  return html`<nav class="sections" aria-label="Sections"><ul>${links}</ul></nav>`;
}

/** A gate, and the tide before it. */
const MARK = html`<svg class="mark" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="M4 4v11M12 4v11M20 4v11" /><path class="wave" d="M2 19c2.5-2 4.2-2 6.7 0s4.2 2 6.6 0 4.2-2 6.7 0" /></svg>`;

function document(
  { script, integrity, style }: DashboardFiles,
  { title, body }: { title: string; body: Html },
): string {
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
<script src="${script}" integrity="${integrity}" defer></script>
</head>
<body>
${body}
</body>
</html>
`.html;
}
