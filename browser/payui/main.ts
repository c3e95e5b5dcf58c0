import { CHECKOUT_VERSION } from "../protocol/version.ts";
import { findHostedOrigin } from "./hosted-origin.ts";
import { initialise } from "./initialise.ts";
import type { PayUIInstance } from "./payui.d.ts";

// Read now: the browser names the running script only during its first run.
const hostedOrigin = findHostedOrigin();

const open = (config: unknown): PayUIInstance => initialise(config, hostedOrigin);

// A token says what it opens; the panel of a PayID has one version so far.
window.SVC = {
  ...window.SVC,
  PayUI: { initialise: open },
  PayID: { show: (config) => open({ version: CHECKOUT_VERSION, ...config }) },
};
