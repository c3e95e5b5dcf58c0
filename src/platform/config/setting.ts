/** One setting: where it is read from, what it may be, and what an operator has to know about it. */
export type Setting<Value> = {
  readonly variable: string;
  readonly about: string;
  readonly allowed: string;
  /** As shown in the docs. */
  readonly standard: string;
  /** Never shown in messages. */
  readonly secret?: boolean;
  /** Returns the value, or a few words on what is wrong with the text. */
  readonly read: (text: string | undefined) => { readonly value: Value } | { readonly problem: string };
};

/** A setting that is wrong. Its message is the one line that stops the start. */
export class SettingProblem extends Error {
  override readonly name = "SettingProblem";

  constructor(variable: string, problem: string, allowed: string) {
    super(`${variable} ${problem}; allowed: ${allowed}`);
  }
}

type About = { readonly variable: string; readonly about: string };

export function wholeNumber(
  of: About & { readonly min: number; readonly max: number; readonly standard: number },
) {
  return setting<number>({
    ...of,
    allowed: `a whole number from ${of.min} to ${of.max}`,
    standard: String(of.standard),
    read: (text) => {
      if (text === undefined) return { value: of.standard };
      if (!/^-?\d{1,15}$/.test(text)) return { problem: "is not a whole number" };
      const value = Number(text);
      if (value < of.min) return { problem: "is too small" };
      if (value > of.max) return { problem: "is too large" };
      return { value };
    },
  });
}

export function choice<Value extends string>(
  of: About & { readonly among: readonly Value[]; readonly standard: Value },
): Setting<Value> {
  return setting<Value>({
    ...of,
    allowed: of.among.join(", "),
    read: (text) => {
      const value = text === undefined ? of.standard : of.among.find((one) => one === text);
      return value === undefined ? { problem: "is not one of the choices" } : { value };
    },
  });
}

export function optionalText(
  of: About & {
    readonly allowed: string;
    readonly standard: string;
    readonly secret?: boolean;
    readonly problem: (text: string) => string | undefined;
  },
): Setting<string | undefined> {
  return setting<string | undefined>({
    ...of,
    read: (text) => {
      const problem = text === undefined ? undefined : of.problem(text);
      return problem === undefined ? { value: text } : { problem };
    },
  });
}

export function setting<Value>(of: Setting<Value>): Setting<Value> {
  return of;
}

/** Problems of a user and a password in a URL. */
export function credentialsProblem({
  username,
  password,
}: Pick<URL, "username" | "password">): string | undefined {
  try {
    decodeURIComponent(`${username}:${password}`);
    return undefined;
  } catch {
    return "has a user or a password that is not percent-encoded (% is %25)";
  }
}

/** Problems of a URL that others are sent to: where the gateway can be reached from outside. */
export function originProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return "is not an http or https URL";
  if (url.username !== "" || url.password !== "") return "must not hold credentials";
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") return "must be an origin without a path";
  return undefined;
}
