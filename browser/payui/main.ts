import { findHostedOrigin } from "./hosted-origin.ts";
import { initialise } from "./initialise.ts";

// Asked now: the browser tells which script is running only while it runs.
const hostedOrigin = findHostedOrigin();

window.SVC = { ...window.SVC, PayUI: { initialise: (config) => initialise(config, hostedOrigin) } };
