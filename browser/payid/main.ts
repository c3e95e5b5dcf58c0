import { createCall, type Reply } from "../paying/call-gateway.ts";
import { connectLoader, type Loader } from "../paying/connect-loader.ts";
import { openPage } from "../paying/page.ts";
import {
  type Language,
  type OpenedPayId,
  readLanguage,
  readOpened,
  type WatchedState,
} from "../paying/read-payid.ts";
import { reportHeight } from "../paying/report-height.ts";
import { unreachableCode } from "../protocol/client-codes.ts";
import { isObject } from "../protocol/is-object.ts";
import { CHECKOUT_VERSION } from "../protocol/version.ts";
import { applyTheme } from "../ui/apply-theme.ts";
import { getElement } from "../ui/get-element.ts";
import { payIdEnd, payIdPanel } from "../ui/payid-panel.ts";
import { enhancePanel } from "./enhance-panel.ts";
import { watchState } from "./watch-state.ts";

const TIMEOUT_MS = 20_000;

const page = openPage();
const main = getElement<HTMLElement>(document, "main");
let language = readLanguage(fromAttribute("data-language"));
const onPage = readOpened(fromAttribute("data-payid"));

if (language !== undefined && onPage !== undefined) enhanceHostedPage(language, onPage);
else if (language !== undefined) waitForLoader();

/** The server has rendered the page, and renders its end. */
function enhanceHostedPage({ words, tag }: Language, opened: OpenedPayId): void {
  const panel = enhancePanel(page.formPlace, words, opened);
  watchState(opened, tag, { ...panel, onEnd: () => location.replace(location.pathname) });
}

/** Inside the frame on a merchant's page. */
function waitForLoader(): void {
  connectLoader(
    (loader) => {
      applyTheme(loader.connect.ui, fromAttribute("data-ui") as object | null);
      reportHeight(main, (height) => loader.send({ type: "height", height }));
      void open(loader);
    },
    () => showProblem("notLoaded", () => location.reload()),
  );
}

async function open(loader: Loader): Promise<void> {
  const { connect, parentOrigin, send } = loader;
  const { token, locale } = connect;
  const input = {
    token,
    parentOrigin,
    version: CHECKOUT_VERSION,
    language: language?.tag,
    ...(locale && { locale }),
  };
  const reply = await createCall(undefined)("/checkout/payid", input, TIMEOUT_MS);
  const body = reply.kind === "answered" ? reply.body : undefined;
  speak(readLanguage(isObject(body) ? body["language"] : undefined), loader);
  const opened = readOpened(body);
  if (opened !== undefined) {
    send({ type: "event", name: "initialise", payload: { result: { status: "ok" } } });
    showPanel(loader, opened);
    return;
  }
  showProblem(problemOf(reply), () => void open(loader));
  const codes =
    reply.kind !== "answered" && reply.codes.length > 0 ? reply.codes : [unreachableCode(location.origin)];
  send({ type: "event", name: "initialise", payload: { result: { status: "failed", codes } } });
}

function showPanel({ send, onDestroy }: Loader, opened: OpenedPayId): void {
  if (language === undefined) return;
  const { words, tag } = language;
  const end = ({ state, transactionId, codes }: WatchedState): void => {
    const { panel, state: pageState } = payIdEnd(words, { ...opened, state });
    page.dropForm();
    page.showPanel(pageState, panel);
    const result =
      state === "received" ? { status: "approved" } : { status: "failed", ...(codes && { codes }) };
    send({ type: "event", name: "process", payload: { result, ...(transactionId && { transactionId }) } });
  };
  if (opened.state !== "waiting") {
    end(opened);
    return;
  }
  page.formPlace.innerHTML = payIdPanel(words, opened).html;
  page.showForm("ready");
  const panel = enhancePanel(page.formPlace, words, opened);
  onDestroy(watchState(opened, tag, { ...panel, onEnd: end }));
}

/** The payer's language is certain once the gateway has read the payment request. */
function speak(found: Language | undefined, { send }: Loader): void {
  language = found ?? language;
  if (language === undefined) return;
  document.documentElement.lang = language.tag;
  document.documentElement.dir = language.direction;
  document.title = language.words.frameTitle;
  send({ type: "title", title: document.title });
}

type Problem = "notLoaded" | "unknown" | "notHere";

function problemOf(reply: Reply): Problem {
  const codes = reply.kind === "refused" ? reply.codes : [];
  if (codes.some(({ message }) => message === "checkout_origin_refused")) return "notHere";
  return codes.some(({ message }) => message === "checkout_token_refused") ? "unknown" : "notLoaded";
}

function showProblem(problem: Problem, retry: () => void): void {
  if (language === undefined) return;
  const { words } = language;
  const action = problem !== "notHere" && { action: { id: "retry", label: words.tryAgain } };
  page.showPanel("error", {
    picture: "careful",
    heading: words[problem],
    words: [words[`${problem}Help`]],
    ...action,
  });
  page.panelPlace.querySelector("#retry")?.addEventListener("click", retry);
}

function fromAttribute(name: string): unknown {
  return JSON.parse(main.getAttribute(name) ?? "null");
}
