import { isSafeValue, propertyOf, type ThemeVariable } from "../../src/kernel/theme-variables.ts";

/** This browser takes the value. Loader and frame both check, since a message can reach the frame from any page. */
export function isTaken(name: ThemeVariable, value: unknown): value is string {
  return isSafeValue(name, value) && CSS.supports(propertyOf(name), value);
}
