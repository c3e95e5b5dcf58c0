/** The parts of npm's lock file that are read here. */
export type LockFile = {
  readonly name: string;
  readonly version: string;
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

export type LockedPackage = {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
};

export type Component = {
  readonly type: "library";
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly scope: "required" | "optional";
  readonly licenses: readonly { readonly expression: string }[];
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
};

/** Every package that an installation of the product gets: no development tools, no links inside the repository. */
export function shippedPackages(lock: LockFile): readonly (readonly [string, LockedPackage])[] {
  return Object.entries(lock.packages)
    .filter(([path, one]) => path.startsWith("node_modules/") && one.dev !== true && one.link !== true)
    .map(([path, one]) => [one.name ?? path.replace(/^.*node_modules\//, ""), one] as const);
}

export function billOfMaterials(lock: LockFile) {
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        name: lock.name,
        version: lock.version,
        licenses: [{ expression: lock.packages[""]?.license ?? "NOASSERTION" }],
      },
    },
    components: shippedPackages(lock).map(([name, one]) => componentOf(name, one)),
  };
}

function componentOf(name: string, one: LockedPackage): Component {
  const { version = "0", license = "NOASSERTION", integrity } = one;
  const [, algorithm, content] = /^(sha\d+)-(.+)$/.exec(integrity ?? "") ?? [];
  const hash = {
    alg: `SHA-${algorithm?.slice(3)}`,
    content: Buffer.from(content ?? "", "base64").toString("hex"),
  };
  return {
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    scope: one.optional === true ? "optional" : "required",
    licenses: [{ expression: license }],
    hashes: algorithm === undefined ? [] : [hash],
    ...(one.hasInstallScript === true && { properties: [{ name: "tidegate:installScript", value: "true" }] }),
  };
}
