import { loaderCode } from "../protocol/client-codes.ts";
import { isObject } from "../protocol/is-object.ts";
import {
  allowedValues,
  allowsValue,
  isColourVariable,
  isTheme,
  isThemeVariable,
  THEME_VARIABLES,
} from "../protocol/theme-variables.ts";
import type { ConfigProblem } from "./report-to-integrator.ts";

/** Reports a misspelt theme or variable instead of ignoring it: wrong colours are noticed too late. */
export function checkUi(ui: unknown, hostedOrigin: string | undefined): readonly ConfigProblem[] {
  if (!isObject(ui)) {
    return [
      { sentence: "ui must be an object.", code: loaderCode("payui_config_invalid", hostedOrigin, "/ui") },
    ];
  }
  const { theme, variables = {} } = ui;
  const problems: ConfigProblem[] = [];
  if (theme !== undefined && !isTheme(theme)) {
    problems.push({ code: loaderCode("payui_theme_invalid", hostedOrigin, "/ui/theme") });
  }
  if (!isObject(variables)) {
    const sentence = "ui.variables must be an object.";
    return [
      ...problems,
      { sentence, code: loaderCode("payui_variable_invalid", hostedOrigin, "/ui/variables") },
    ];
  }
  for (const name of Object.keys(variables)) {
    const sentence = problemOf(name, variables[name]);
    if (sentence === undefined) continue;
    problems.push({
      sentence,
      code: loaderCode("payui_variable_invalid", hostedOrigin, `/ui/variables/${pointerPart(name)}`),
    });
  }
  return problems;
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!isThemeVariable(name)) {
    return `there is no ui variable "${name}"; the variables are ${THEME_VARIABLES.join(", ")}.`;
  }
  // The pattern accepts any word as a colour name; the browser knows which words are one.
  const known = allowsValue(name, value) && (!isColourVariable(name) || CSS.supports("color", value));
  return known ? undefined : `the ui variable ${name} must be ${allowedValues(name)}.`;
}

function pointerPart(name: string): string {
  return name.replace(/~/g, "~0").replace(/\//g, "~1");
}
