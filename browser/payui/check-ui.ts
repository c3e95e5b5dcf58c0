import {
  allowedValues,
  isTheme,
  isThemeVariable,
  THEME_VARIABLES,
  type Theme,
} from "../../src/kernel/theme-variables.ts";
import { isObject } from "../protocol/is-object.ts";
import { isTaken } from "../protocol/is-taken.ts";
import { isLanguageTag } from "../protocol/language-tag.ts";
import { warnIntegrator } from "./report-to-integrator.ts";

export type Ui = { readonly theme?: Theme; readonly variables: Readonly<Record<string, string>> };
export type CheckedUi = {
  readonly ui: Ui;
  readonly locale: string | undefined;
  /** Keys that were left out; the console says why. */
  readonly ignored: readonly string[];
};

/**
 * Splits the page's settings for its payer, theme and language, into those that apply and those that are left out. A wrong colour is never a reason to
 * take no payment. Returns only plain strings: a function, for example, can't be sent to the frame.
 */
export function checkUi(config: Readonly<Record<string, unknown>>): CheckedUi {
  const ignored: string[] = [];
  const leaveOut = (key: string, path: string, rule: string): void => {
    ignored.push(key);
    warnIntegrator(`${path} is left out: ${rule}.`);
  };
  const fieldsOf = (value: unknown, key: string, path: string): Readonly<Record<string, unknown>> => {
    if (isObject(value)) return value;
    if (value !== undefined) leaveOut(key, path, "it must be an object");
    return {};
  };

  const { theme, variables } = fieldsOf(config["ui"], "ui", "ui");
  if (theme !== undefined && !isTheme(theme)) leaveOut("theme", "ui.theme", "it must be light or dark");
  const taken: Record<string, string> = {};
  const all = fieldsOf(variables, "variables", "ui.variables");
  for (const name of Object.keys(all)) {
    const value = all[name];
    const path = `ui.variables.${name}`;
    if (!isThemeVariable(name)) leaveOut(name, path, `the variables are ${THEME_VARIABLES.join(", ")}`);
    else if (isTaken(name, value)) taken[name] = value;
    else if (value !== undefined) leaveOut(name, path, `it must be ${allowedValues(name)}`);
  }
  const { locale } = config;
  const isTag = isLanguageTag(locale);
  if (locale !== undefined && !isTag)
    leaveOut("locale", "locale", "it must be a language tag such as zh-Hans");
  return {
    ui: { variables: taken, ...(isTheme(theme) && { theme }) },
    locale: isTag ? locale : undefined,
    ignored,
  };
}
