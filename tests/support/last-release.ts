import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A checkout of a release, with the dependencies of this tree. */
export type Release = { readonly tag: string; readonly folder: string; readonly remove: () => void };

/** Checks out the newest release that is not this very commit's own version; says why there is none. */
export function checkOutLastRelease(): Release | { readonly reason: string } {
  const git = (...words: readonly string[]) =>
    execFileSync("git", words, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  let tag: string | undefined;
  try {
    [tag] = git("tag", "--list", "v*", "--sort=-v:refname").split("\n");
  } catch {
    return { reason: "this is no git checkout, so there is no earlier release to start" };
  }
  if (tag === undefined || tag === "") return { reason: "there is no tag of an earlier release" };
  const folder = mkdtempSync(join(tmpdir(), "tidegate-release-"));
  const archive = join(folder, "release.tar");
  git("archive", "--format=tar", `--output=${archive}`, tag);
  execFileSync("tar", ["-xf", archive, "-C", folder]);
  rmSync(archive);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return { tag, folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
