import { isIP } from "node:net";
import { optionalText, originProblem, SettingProblem, wholeNumber } from "./setting.ts";

/** Where the gateway listens beside the ports of the API and of the hosted pages, and how. */
export const LISTENER_SETTINGS = {
  metricsToken: optionalText({
    variable: "TIDEGATE_METRICS_TOKEN",
    about:
      "Bearer token that opens `/metrics` on the port of the API. Without it `/metrics` is on the watch port alone, except while the gateway listens on loopback.",
    allowed: "16 to 256 visible ASCII characters",
    standard: "none",
    secret: true,
    problem: (text) =>
      /^[\x21-\x7e]{16,256}$/.test(text) ? undefined : "is too short, too long or not visible ASCII",
  }),
  securityContact: optionalText({
    variable: "TIDEGATE_SECURITY_CONTACT",
    about: "Where finders report a weakness; `/.well-known/security.txt` names it on every port for people.",
    allowed: "a mailto:, https: or tel: URL",
    standard: "none, and no such file",
    problem: (text) =>
      /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+?[\d-]+)$/.test(text) ? undefined : "is not such a URL",
  }),
  requestsAtMost: wholeNumber({
    variable: "TIDEGATE_REQUESTS_AT_MOST",
    about:
      "Requests that this process works on at once; more are answered with 503 and `Retry-After`. Lists are refused from half of it on, new payment requests from three quarters; payments, captures and refunds last.",
    min: 1,
    max: 100_000,
    standard: 512,
  }),
  dashboardPort: wholeNumber({
    variable: "TIDEGATE_DASHBOARD_PORT",
    about: "Port of the dashboard, if it has an origin of its own. 0: it is on the port of the API.",
    min: 0,
    max: 65_535,
    standard: 0,
  }),
  dashboardUrl: optionalText({
    variable: "TIDEGATE_DASHBOARD_URL",
    about: "How users reach the dashboard on that port. Never the origin of the API or of the hosted pages.",
    allowed: "an http or https origin without a path",
    standard: "`http://localhost:` and the dashboard port; without that port, the base URL",
    problem: originProblem,
  }),
  tlsCertFile: optionalText({
    variable: "TIDEGATE_TLS_CERT_FILE",
    about:
      "Certificate chain (PEM) to serve HTTPS directly, TLS 1.2 and newer, forward-secret ciphers only. Goes with the key file. A new one is taken within 30 seconds, without a restart.",
    allowed: "a path to a readable PEM file",
    standard: "plain HTTP, for use behind a proxy",
    problem: (text) => (text.trim() === "" ? "is empty" : undefined),
  }),
  tlsKeyFile: optionalText({
    variable: "TIDEGATE_TLS_KEY_FILE",
    about: "Private key (PEM) of that certificate.",
    allowed: "a path to a readable PEM file",
    standard: "none",
    problem: (text) => (text.trim() === "" ? "is empty" : undefined),
  }),
} as const;

type Values = {
  readonly apiPort: number;
  readonly hostedPort: number;
  readonly watchPort: number;
  readonly dashboardPort: number;
  readonly dashboardUrl: string | undefined;
  readonly tlsCertFile: string | undefined;
  readonly tlsKeyFile: string | undefined;
};

export function checkListenerSettings(values: Values): void {
  if ((values.tlsCertFile === undefined) !== (values.tlsKeyFile === undefined)) {
    const both = [LISTENER_SETTINGS.tlsCertFile, LISTENER_SETTINGS.tlsKeyFile] as const;
    const [missing, given] = values.tlsCertFile === undefined ? both : ([both[1], both[0]] as const);
    throw new SettingProblem(missing.variable, `is missing beside ${given.variable}`, missing.allowed);
  }
  const others = [values.apiPort, values.hostedPort, ...(values.watchPort === 0 ? [] : [values.watchPort])];
  if (others.includes(values.dashboardPort)) {
    const { variable } = LISTENER_SETTINGS.dashboardPort;
    throw new SettingProblem(variable, "is the port of another server of this gateway", "a port of its own");
  }
  if (values.dashboardUrl !== undefined && values.dashboardPort === 0) {
    const { variable, allowed } = LISTENER_SETTINGS.dashboardPort;
    throw new SettingProblem(
      variable,
      `is missing beside ${LISTENER_SETTINGS.dashboardUrl.variable}`,
      allowed,
    );
  }
}

/** The base URL, unless the dashboard has an origin of its own. */
export function dashboardUrlOf(
  values: Values,
  urls: { readonly scheme: string; readonly baseUrl: string; readonly hostedUrl: string },
): string {
  const { scheme, baseUrl, hostedUrl } = urls;
  if (values.dashboardPort === 0) return baseUrl;
  const own = new URL(values.dashboardUrl ?? `${scheme}://localhost:${values.dashboardPort}`).origin;
  if (own !== baseUrl && own !== hostedUrl) return own;
  const { variable } = LISTENER_SETTINGS.dashboardUrl;
  throw new SettingProblem(
    variable,
    "is the origin of the API or of the hosted pages",
    "an origin of its own",
  );
}

/** Whether only this machine reaches the gateway's ports. */
export function listensOnLoopback({ host }: { readonly host: string }): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
