import { findHostedOrigin } from "./hosted-origin.ts";
import { initialise } from "./initialise.ts";

// Read now: the browser names the running script only during its first run.
const hostedOrigin = findHostedOrigin();

window.SVC = { ...window.SVC, PayUI: { initialise: (config) => initialise(config, hostedOrigin) } };
