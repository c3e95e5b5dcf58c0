import manifest from "../../package.json" with { type: "json" };

/** The version of this release. */
export const VERSION: string = manifest.version;
