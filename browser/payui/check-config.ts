import { type LoaderCode, loaderCode } from "../protocol/client-codes.ts";
import type { ResultCode } from "../protocol/client-events.ts";
import { isObject } from "../protocol/is-object.ts";
import type { PageTheme } from "../protocol/messages.ts";
import { type PublicPart, publicPartOf } from "../protocol/one-time-token.ts";
import { KNOWN_VERSIONS } from "../protocol/version.ts";
import type { CheckedUi } from "./check-ui.ts";
import { pageThemeAt } from "./page-theme.ts";

export type CheckoutConfig = PublicPart & {
  readonly token: string;
  readonly container: HTMLElement;
  readonly version: string;
  readonly ui: CheckedUi["ui"] & { readonly pageTheme: PageTheme | undefined };
  readonly locale: string | undefined;
};

/** What is wrong, and where the payer can be shown that there is no form: null, if that is wrong too. */
export type ConfigProblems = {
  readonly problems: readonly ResultCode[];
  readonly container: HTMLElement | null;
};

/** Returns every problem that shows without a request, so that a wrong configuration uses up no token. */
export function checkConfig(
  config: unknown,
  { ui, locale }: CheckedUi,
  hostedOrigin: string | undefined,
): CheckoutConfig | ConfigProblems {
  const problems: ResultCode[] = [];
  const report = (name: LoaderCode, field: string): void => {
    problems.push(loaderCode(name, hostedOrigin, field));
  };
  if (!isObject(config)) {
    report("payui_config_invalid", "");
    return { problems, container: null };
  }
  const { token, containerId, version } = config;

  const publicPart = typeof token === "string" ? publicPartOf(token) : undefined;
  if (publicPart === undefined) report("payui_token_invalid", "/token");

  const container = typeof containerId === "string" ? document.getElementById(containerId) : null;
  if (container === null) report("payui_container_id_invalid", "/containerId");

  if (!KNOWN_VERSIONS.some((known) => known === version)) report("payui_version_invalid", "/version");

  if (problems.length > 0 || publicPart === undefined || container === null) return { problems, container };
  return {
    ...publicPart,
    token: String(token),
    container,
    version: String(version),
    ui: { ...ui, pageTheme: pageThemeAt(container) },
    locale,
  };
}
