import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A checkout of an earlier state, with the dependencies of this tree. */
export type Release = { readonly folder: string; readonly remove: () => void };

/**
 * Checks out the newest release that has fewer migrations than this tree, or without one the commit with the last change of a
 * migration before the newest; says why there is neither. A commit in between may need the newest one already.
 */
export function checkOutLastRelease(): Release | { readonly reason: string } {
  const git = (...words: readonly string[]) =>
    execFileSync("git", words, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  let earlier: string;
  try {
    const [newest = "", ...added] = git(
      ...["log", "-1", "--format=%H", "--name-only", "--diff-filter=A", "--", "migrations/0*.sql"],
    ).split(/\n+/);
    const others = ["migrations/0*.sql", ...added.map((file) => `:(exclude)${file}`)];
    const before = git("log", "-1", "--format=%H", "--", ...others);
    const [tag = ""] = git("tag", "--list", "v*", "--no-contains", newest, "--sort=-v:refname").split("\n");
    earlier = git("rev-parse", "--verify", tag === "" ? before : tag);
  } catch {
    return { reason: "this checkout has no history, so there is no earlier release to start" };
  }
  const folder = mkdtempSync(join(tmpdir(), "tidegate-release-"));
  const archive = join(folder, "release.tar");
  git("archive", "--format=tar", `--output=${archive}`, earlier);
  execFileSync("tar", ["-xf", archive, "-C", folder]);
  rmSync(archive);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
