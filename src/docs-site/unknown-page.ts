import type { FastifyReply, FastifyRequest } from "fastify";
import { sendHtml } from "../platform/http/send-html.ts";
import type { AnswerUnknownPath } from "../platform/http/unknown-paths.ts";
import { type DocsAssets, docsPage, searchForm } from "./frame.ts";
import { type Html, html } from "./reference/html.ts";
import { PAGE_HEADERS } from "./reference/serve-text.ts";

/** Answers a browser on the API's server: a start page at `/`, and a page that says so everywhere else. */
export function answerUnknownPage(assets: DocsAssets, hasDashboard: boolean): AnswerUnknownPath {
  const places = placeList(hasDashboard);
  const start = startPage(places, assets);
  const lost = lostPage(places, assets);
  return (request: FastifyRequest, reply: FastifyReply) => {
    const isStart = request.url.split("?", 1)[0] === "/";
    reply.code(isStart ? 200 : 404).headers(PAGE_HEADERS);
    return sendHtml(request, reply, isStart ? start : lost);
  };
}

function startPage(places: Html, assets: DocsAssets): string {
  const body = html`<h1>Tidegate</h1>
<p class="lead">A payment gateway. Merchants' servers call its API at this address.</p>
${places}`;
  const main = { id: "start", name: "guide", skip: "Skip to the text" };
  return docsPage({ title: "Tidegate", main, body }, assets);
}

function lostPage(places: Html, assets: DocsAssets): string {
  const body = html`<h1>There is no such page</h1>
<p class="lead">Check the address, or search the docs.</p>
${searchForm("search-text", "")}
${places}`;
  const main = { id: "lost", name: "guide", skip: "Skip to the text" };
  return docsPage({ title: "No such page · Tidegate", area: "search", main, body }, assets);
}

function placeList(hasDashboard: boolean): Html {
  return html`<ul class="index">
<li><a href="/docs/guides">Guides</a><span>Take a first payment, go live, operate the gateway.</span></li>
<li><a href="/docs">API reference</a><span>Every operation, with examples.</span></li>
<li><a href="/docs/codes">Codes</a><span>What an answer's codes mean, and what to do.</span></li>
${
  hasDashboard &&
  html`<li><a href="/dashboard">Dashboard</a><span>Payments, payouts, keys and settings, for users with an account.</span></li>
`
}</ul>
`;
}
