import type { PayUI } from "@tidegate/client/payui";

export type {
  PayUI,
  PayUICode,
  PayUIConfig,
  PayUIEvents,
  PayUIInitialiseEvent,
  PayUIInstance,
  PayUIProcessEvent,
  PayUISurchargeUpdateEvent,
  PayUIVariables,
} from "@tidegate/client/payui";

/** One exact version of the script: the entry of that version in `{hostedUrl}/static/pay/integrity.json`, as it is. */
export type PinnedScript = { readonly address: string; readonly "payui.js": string };

export type LoadOptions = {
  /** The gateway's origin for payers, such as "https://pay.example". */
  readonly hostedUrl: string;
  /** The browser then refuses a script whose hash differs. Your server reads it each time it renders the page. */
  readonly pinned?: PinnedScript | undefined;
  /** For pages whose Content-Security-Policy allows scripts by nonce. */
  readonly nonce?: string | undefined;
  /** How long the script may take to load; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
};

type Loads = Map<string, Promise<PayUI>>;
type LoadingPage = Window & { [LOADS]?: Loads };

const CURRENT = "/static/pay/js/payui.js";
const TIMEOUT_MS = 30_000;
/** On the window, because a page can hold this module twice: once for `import`, once for `require`. */
const LOADS: unique symbol = Symbol.for("tidegate.loads");

/**
 * Adds the gateway's script to the page, once per origin, and resolves to its `PayUI`. Needs no React. Calls for the same
 * origin share one promise. After a failure the next call tries again.
 */
export function loadTidegate(options: LoadOptions): Promise<PayUI> {
  if (typeof document === "undefined") return refusedOnServer();
  const origin = originOf(options.hostedUrl);
  if (origin === undefined) {
    return Promise.reject(
      new Error(
        `Tidegate: hostedUrl must be an http or https address, not ${JSON.stringify(options.hostedUrl)}.`,
      ),
    );
  }
  const loads = loadsOfPage();
  const known = loads.get(origin);
  if (known !== undefined) return known;
  const loading = addScript(origin, options);
  loads.set(origin, loading);
  loading.catch(() => loads.delete(origin));
  return loading;
}

/** Marked as handled: a module that calls it at its top level must not end the server that imports it. */
function refusedOnServer(): Promise<PayUI> {
  const refused = Promise.reject<PayUI>(
    new Error("Tidegate: the script loads in a browser only; call loadTidegate in an effect or a handler."),
  );
  refused.catch(() => undefined);
  return refused;
}

function originOf(hostedUrl: string): string | undefined {
  try {
    const { origin, protocol } = new URL(hostedUrl);
    return /^https?:$/.test(protocol) ? origin : undefined;
  } catch (_invalid) {
    return undefined;
  }
}

function loadsOfPage(): Loads {
  const page: LoadingPage = window;
  page[LOADS] ??= new Map();
  return page[LOADS];
}

function addScript(origin: string, { pinned, nonce, timeoutMs = TIMEOUT_MS }: LoadOptions): Promise<PayUI> {
  const earlier = payUIOfPage();
  const script = document.createElement("script");
  script.src = origin + (pinned === undefined ? CURRENT : pinned.address);
  script.async = true;
  if (nonce !== undefined) script.nonce = nonce;
  if (pinned !== undefined) {
    script.integrity = pinned["payui.js"];
    script.crossOrigin = "anonymous";
  }
  return new Promise((resolve, reject) => {
    const fail = (problem: string): void => {
      clearTimeout(timer);
      script.onload = null;
      script.onerror = null;
      script.remove();
      reject(new Error(`Tidegate: ${script.src} ${problem}`));
    };
    const timer = setTimeout(() => fail(`did not load within ${timeoutMs} ms.`), timeoutMs);
    script.onerror = () =>
      fail(
        "did not load. Check that hostedUrl is the gateway's origin for payers, and that the page's Content-Security-Policy allows it in script-src.",
      );
    // Runs right after the script: another gateway's script on the same page has had no chance to replace `SVC.PayUI`.
    script.onload = () => {
      clearTimeout(timer);
      const payUI = payUIOfPage();
      if (payUI === undefined || payUI === earlier) fail("is not the gateway's script; check hostedUrl.");
      else resolve(payUI);
    };
    document.head.appendChild(script);
  });
}

/** The types promise `SVC` because they are those of a page whose script has run. */
function payUIOfPage(): PayUI | undefined {
  const { SVC }: { readonly SVC?: { readonly PayUI?: PayUI } } = window;
  return SVC?.PayUI;
}
