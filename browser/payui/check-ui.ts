import { ownCode } from "../protocol/client-codes.ts";
import { isObject } from "../protocol/is-object.ts";
import {
  allowedValues,
  allowsValue,
  isColourVariable,
  isTheme,
  isThemeVariable,
  THEME_VARIABLES,
} from "../protocol/theme-variables.ts";
import type { Mistake } from "./report-to-integrator.ts";

/** A typing error in a look is said, not swallowed: a checkout in the wrong colours is noticed too late. */
export function checkUi(ui: unknown): readonly Mistake[] {
  if (!isObject(ui)) {
    return [{ sentence: "ui must be an object.", code: ownCode("payui_config_invalid", "/ui") }];
  }
  const { theme, variables = {} } = ui;
  const mistakes: Mistake[] = [];
  if (theme !== undefined && !isTheme(theme)) {
    const sentence = 'ui.theme must be "light" or "dark".';
    mistakes.push({ sentence, code: ownCode("payui_theme_invalid", "/ui/theme") });
  }
  if (!isObject(variables)) {
    const sentence = "ui.variables must be an object.";
    return [...mistakes, { sentence, code: ownCode("payui_variable_invalid", "/ui/variables") }];
  }
  for (const name of Object.keys(variables)) {
    const sentence = problemOf(name, variables[name]);
    if (sentence === undefined) continue;
    mistakes.push({
      sentence,
      code: ownCode("payui_variable_invalid", `/ui/variables/${pointerPart(name)}`),
    });
  }
  return mistakes;
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!isThemeVariable(name)) {
    return `there is no ui variable "${name}"; the variables are ${THEME_VARIABLES.join(", ")}.`;
  }
  // The pattern lets any word through as the name of a colour; the browser knows which words are one.
  const known = allowsValue(name, value) && (!isColourVariable(name) || CSS.supports("color", value));
  return known ? undefined : `the ui variable ${name} must be ${allowedValues(name)}.`;
}

function pointerPart(name: string): string {
  return name.replace(/~/g, "~0").replace(/\//g, "~1");
}
