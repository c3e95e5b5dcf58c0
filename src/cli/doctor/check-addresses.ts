import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { createServer } from "node:net";
import { SettingProblem } from "../../platform/config/setting.ts";
import type { Settings } from "../../platform/config/settings.ts";
import { MONITORING_PATHS } from "../../platform/http/monitoring-paths.ts";
import { listenProblem } from "../../platform/http/server.ts";
import { errorText, type Finding, findings } from "./finding.ts";

const TIMEOUT_MS = 3_000;

type Served = {
  readonly role: "api" | "checkout" | "any";
  readonly port: number;
  readonly portVariable: string;
  /** Where others reach it; the port for monitoring has no such address. */
  readonly address?: Address;
};

type Address = { readonly url: string; readonly urlName: string; readonly urlVariable: string };

function servedBy(settings: Settings): readonly Served[] {
  const all: readonly Served[] = [
    {
      role: "api",
      port: settings.apiPort,
      portVariable: "TIDEGATE_API_PORT",
      address: { url: settings.baseUrl, urlName: "base URL", urlVariable: "TIDEGATE_BASE_URL" },
    },
    {
      role: "checkout",
      port: settings.hostedPort,
      portVariable: "TIDEGATE_HOSTED_PORT",
      address: { url: settings.hostedUrl, urlName: "hosted URL", urlVariable: "TIDEGATE_HOSTED_URL" },
    },
    {
      role: "api",
      port: settings.dashboardPort,
      portVariable: "TIDEGATE_DASHBOARD_PORT",
      address: {
        url: settings.dashboardUrl,
        urlName: "dashboard URL",
        urlVariable: "TIDEGATE_DASHBOARD_URL",
      },
    },
    { role: "any", port: settings.watchPort, portVariable: "TIDEGATE_WATCH_PORT" },
  ];
  return all.filter(({ role, port }) => (role === "any" || settings.roles.includes(role)) && port !== 0);
}

/** Each port must be free or served by a gateway, and each public address must lead to one. */
export async function checkAddresses(settings: Settings): Promise<readonly Finding[]> {
  const results: Finding[] = [];
  for (const served of servedBy(settings)) {
    const { port, portVariable, address } = served;
    const scheme = settings.tlsCertFile === undefined ? "http" : "https";
    const host = settings.host === "0.0.0.0" || settings.host === "::" ? "127.0.0.1" : settings.host;
    const here = findings(`port ${port}`);
    const origin = `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
    const isRunning = (await gatewayProblem(origin, false)) === undefined;
    if (isRunning) results.push(here.ok("served by a gateway"));
    else {
      const problem = await portProblem(settings.host, port, portVariable);
      results.push(
        problem === undefined
          ? here.ok("free; no gateway runs here")
          : here.fail(problem, "stop the program that listens there, or change that setting"),
      );
    }
    if (isRunning && address !== undefined) results.push(await addressFinding(address));
  }
  return results;
}

async function addressFinding({ url, urlName, urlVariable }: Address): Promise<Finding> {
  const address = findings(urlName);
  const problem = await gatewayProblem(url, true);
  if (problem === undefined) return address.ok(`${url} leads to a gateway`);
  return address.warn(
    `${url} does not lead to a gateway from here (${problem})`,
    `set ${urlVariable} to the address that payers and merchants use, and check DNS and the proxy; if only they can reach the proxy, ignore this`,
  );
}

/** Why no gateway answers there; undefined if one does. */
async function gatewayProblem(origin: string, verifiesCertificate: boolean): Promise<string | undefined> {
  return new Promise((resolve) => {
    const send = origin.startsWith("https:") ? httpsRequest : httpRequest;
    const options = { timeout: TIMEOUT_MS, ...(verifiesCertificate ? {} : { rejectUnauthorized: false }) };
    const request = send(`${origin}${MONITORING_PATHS.health}`, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part.slice(0, 1_000);
      });
      response.on("error", (error) => resolve(errorText(error)));
      response.on("end", () => {
        const isOurs =
          /^\{"result":\{"status":"ok"/.test(text) && response.headers["x-request-id"] !== undefined;
        resolve(isOurs ? undefined : `it answered ${response.statusCode}, which is not a gateway's answer`);
      });
    });
    request.on("timeout", () => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1_000} s`)));
    request.on("error", (error) => resolve(errorText(error)));
    request.end();
  });
}

/** What a start would report about this port; undefined if it can listen there. */
function portProblem(host: string, port: number, variable: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", (error) => {
      const problem = listenProblem(error, variable, port);
      if (problem instanceof SettingProblem) resolve(problem.message);
      else reject(error);
    });
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
}
