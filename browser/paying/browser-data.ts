/** What the payer's bank wants to know of the browser. Values that the gateway would refuse are brought into its limits. */
export type CollectedBrowser = {
  readonly language: string;
  readonly colourDepth: number;
  readonly screenWidth: number;
  readonly screenHeight: number;
  readonly timeZoneOffset: number;
  readonly javaEnabled: boolean;
};

export function collectBrowser(): CollectedBrowser {
  const { language } = navigator;
  return {
    language: (language || "en").slice(0, 35),
    colourDepth: within(screen.colorDepth, 1, 64),
    screenWidth: within(screen.width, 0, 999_999),
    screenHeight: within(screen.height, 0, 999_999),
    timeZoneOffset: within(new Date().getTimezoneOffset(), -1_440, 1_440),
    // Browsers still have the method, and all answer false.
    javaEnabled: false,
  };
}

/** Some browsers against tracking return fractions or no number. */
function within(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, Math.round(value) || 0));
}
