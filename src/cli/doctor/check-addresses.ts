import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import type { Settings } from "../../platform/config/settings.ts";
import { errorText, type Finding, findings } from "./finding.ts";

const TIMEOUT_MS = 3_000;

type Served = {
  readonly role: "api" | "checkout";
  readonly port: number;
  readonly portVariable: string;
  readonly url: string;
  readonly urlName: string;
  readonly urlVariable: string;
};

function servedBy(settings: Settings): readonly Served[] {
  const all: readonly Served[] = [
    {
      role: "api",
      port: settings.apiPort,
      portVariable: "TIDEGATE_API_PORT",
      url: settings.baseUrl,
      urlName: "base URL",
      urlVariable: "TIDEGATE_BASE_URL",
    },
    {
      role: "checkout",
      port: settings.hostedPort,
      portVariable: "TIDEGATE_HOSTED_PORT",
      url: settings.hostedUrl,
      urlName: "hosted URL",
      urlVariable: "TIDEGATE_HOSTED_URL",
    },
    {
      role: "api",
      port: settings.dashboardPort,
      portVariable: "TIDEGATE_DASHBOARD_PORT",
      url: settings.dashboardUrl,
      urlName: "dashboard URL",
      urlVariable: "TIDEGATE_DASHBOARD_URL",
    },
  ];
  return all.filter(({ role, port }) => settings.roles.includes(role) && port !== 0);
}

/** Each port must be free or served by a gateway, and each public address must lead to one. */
export async function checkAddresses(settings: Settings): Promise<readonly Finding[]> {
  const results: Finding[] = [];
  for (const served of servedBy(settings)) {
    const { port, portVariable } = served;
    const scheme = settings.tlsCertFile === undefined ? "http" : "https";
    const host = settings.host === "0.0.0.0" || settings.host === "::" ? "127.0.0.1" : settings.host;
    const here = findings(`port ${port}`);
    const running = await isGateway(`${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`, false);
    if (running === true) results.push(here.ok("served by a gateway"));
    else if (!(await isTaken(host, port))) results.push(here.ok("free; no gateway runs here"));
    else
      results.push(
        here.fail(
          "another program listens on it",
          `stop that program, or set ${portVariable} to a free port`,
        ),
      );
    if (running === true) results.push(await addressFinding(served));
  }
  return results;
}

async function addressFinding({ url, urlName, urlVariable }: Served): Promise<Finding> {
  const address = findings(urlName);
  const answer = await isGateway(url, true);
  if (answer === true) return address.ok(`${url} leads to a gateway`);
  return address.warn(
    `${url} does not lead to a gateway from here (${answer})`,
    `set ${urlVariable} to the address that payers and merchants use, and check DNS and the proxy; if only they can reach the proxy, ignore this`,
  );
}

/** True if a gateway answers there, otherwise the reason. */
async function isGateway(origin: string, verify: boolean): Promise<true | string> {
  return new Promise((resolve) => {
    const send = origin.startsWith("https:") ? httpsRequest : httpRequest;
    const options = { timeout: TIMEOUT_MS, ...(verify ? {} : { rejectUnauthorized: false }) };
    const request = send(`${origin}/healthz`, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part.slice(0, 1_000);
      });
      response.on("error", (error) => resolve(errorText(error)));
      response.on("end", () => {
        const ours =
          /^\{"result":\{"status":"ok"/.test(text) && response.headers["x-request-id"] !== undefined;
        resolve(ours || `it answered ${response.statusCode}, which is not a gateway's answer`);
      });
    });
    request.on("timeout", () => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1_000} s`)));
    request.on("error", (error) => resolve(errorText(error)));
    request.end();
  });
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    const answer = (taken: boolean) => {
      socket.destroy();
      resolve(taken);
    };
    socket.on("connect", () => answer(true));
    socket.on("timeout", () => answer(true));
    socket.on("error", () => answer(false));
  });
}
