import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ProofFile } from "./find-proofs.ts";

/** What ran: the product as it is in this checkout, and each proof of it by name. Commits do not say it: files may be changed beside them. */
export type Digests = {
  readonly product: string;
  readonly proofs: Readonly<Record<string, string>>;
};

const PRODUCT = ["src", "browser", "migrations", "bin", "package-lock.json"];
/** What programs of others write, and what proofs themselves write. */
const NOT_OF_PROOFS = ["..", "node_modules", "docs/generated"];

/** Paths that are written out from the root of the checkout. */
const FROM_ROOT = /^(?:tests|deploy|docs\/guides)\//;

/** Prepares the database and the programs of every proof. */
const SETUP = "tools/test-database.ts";

/** Files of a proof whose names no file of it writes out. */
const UNNAMED: Readonly<Record<string, readonly string[]>> = {
  failover: ["deploy/high-availability/*"],
  schemathesis: ["tests/proofs/schemathesis/*"],
};

export function readDigests(proofs: readonly Pick<ProofFile, "name" | "file">[], root = "."): Digests {
  return {
    product: productDigest(root),
    proofs: Object.fromEntries(proofs.map((proof) => [proof.name, proofDigest(proof, root)])),
  };
}

function productDigest(root: string): string {
  return digestOf(
    PRODUCT.flatMap((start) => globSync([start, `${start}/**/*`], { cwd: root })),
    root,
  );
}

function proofDigest({ name, file }: Pick<ProofFile, "name" | "file">, root: string): string {
  const found = new Set<string>();
  const waiting = [
    file,
    SETUP,
    ...(UNNAMED[name] ?? []).flatMap((pattern) => globSync(pattern, { cwd: root })),
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    if (next.endsWith(".ts")) waiting.push(...namedIn(next, root));
  }
  return digestOf([...found], root);
}

/** Files outside the product that a file imports, starts or reads: each quoted text that is the path of one. */
function namedIn(file: string, root: string): readonly string[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/(["'`])([\w@./-]+\.\w+)\1/g)].flatMap(([, , named = ""]) => {
    const paths = [join(dirname(file), named), ...(FROM_ROOT.test(named) ? [named] : [])];
    return paths.filter((path) => isOfProof(path) && isFile(join(root, path)));
  });
}

const isOfProof = (path: string): boolean =>
  !path.startsWith("/") &&
  ![...PRODUCT, ...NOT_OF_PROOFS].some((start) => path === start || path.startsWith(`${start}/`));

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

function digestOf(files: readonly string[], root: string): string {
  const hash = createHash("sha256");
  for (const file of files.filter((path) => isFile(join(root, path))).toSorted()) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\n${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}
