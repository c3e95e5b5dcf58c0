import { closestMatch } from "../../kernel/closest-match.ts";
import { SettingProblem } from "./setting.ts";

export type UnknownVariable = {
  readonly variable: string;
  /** The setting that was most likely meant. */
  readonly meant: string | undefined;
};

type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = "TIDEGATE_";

/** Read by programs that call the gateway, by the repository's tools and by its tests. */
const OF_OTHERS = /^TIDEGATE_(API_KEY|KEY|URL|CHROMIUM|TEST_\w+)$/;

/** Kubernetes sets these in every container beside a service named `tidegate`, or `tidegate-…`. */
const BY_KUBERNETES = /^TIDEGATE_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_\w+)$/;

/** Refuses a name close to a setting's: what the operator meant to set would keep its default. Returns the other names. */
export function refuseMisspelt(environment: Environment, known: readonly string[]): readonly string[] {
  const unknown = findUnknownVariables(environment, known);
  for (const { variable, meant } of unknown) {
    if (meant === undefined) continue;
    const allowed = "the variables in docs/generated/settings.md";
    throw new SettingProblem(variable, `is no setting, did you mean ${meant}?`, allowed);
  }
  return unknown.map(({ variable }) => variable);
}

/** Variables with the prefix of the settings that are no setting: a misspelt one would be ignored in silence. */
export function findUnknownVariables(
  environment: Environment,
  known: readonly string[],
): readonly UnknownVariable[] {
  return Object.entries(environment)
    .filter(([name, value]) => isSuspect(name, value) && !known.includes(name))
    .map(([variable]) => ({ variable, meant: settingMeant(variable, known) }))
    .toSorted((one, other) => one.variable.localeCompare(other.variable));
}

function isSuspect(name: string, value: string | undefined): boolean {
  if (!name.toUpperCase().startsWith(PREFIX) || value === undefined || value === "") return false;
  return !OF_OTHERS.test(name) && !BY_KUBERNETES.test(name) && !value.startsWith("tcp://");
}

function settingMeant(variable: string, known: readonly string[]): string | undefined {
  // Compared without the prefix: long names that share it would all be close to each other.
  const words = known.filter((one) => one.startsWith(PREFIX)).map((one) => one.slice(PREFIX.length));
  const typed = variable.toUpperCase().slice(PREFIX.length);
  // DATABASE_URL has no prefix.
  if (known.includes(typed)) return typed;
  // The end of a name says what it is: PORT is API_PORT, and not HOST, which has as many letters in common.
  const match = words.find((word) => word.endsWith(`_${typed}`)) ?? closestMatch(typed, words);
  return match === undefined ? undefined : `${PREFIX}${match}`;
}
