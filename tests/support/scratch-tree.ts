import { execFileSync } from "node:child_process";
import {
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export type ScratchTree = {
  readonly folder: string;
  /** The file as the checkout has it. */
  readonly read: (path: string) => string;
  /** Writes a file of the tree alone: the checkout keeps its own. */
  readonly write: (path: string, text: string) => void;
  readonly restore: (path: string) => void;
  readonly remove: () => void;
};

/** A copy of the checkout whose files can be changed: links to its files, and to its node_modules. */
export function createScratchTree(): ScratchTree {
  const folder = mkdtempSync(join(tmpdir(), "tidegate-scratch-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const copy = (path: string) => {
    const [from, to] = [join(ROOT, path), join(folder, path)];
    mkdirSync(dirname(to), { recursive: true });
    try {
      linkSync(from, to);
    } catch {
      // Another file system, or a file that is listed and gone.
      cpSync(from, to, { force: true, verbatimSymlinks: true });
    }
  };
  for (const path of listed.split("\0").filter((one) => one !== "")) copy(path);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return {
    folder,
    read: (path) => readFileSync(join(ROOT, path), "utf8"),
    write: (path, text) => {
      const place = join(folder, path);
      // A link is removed, not written to.
      rmSync(place, { force: true });
      writeFileSync(place, text);
    },
    restore: (path) => {
      rmSync(join(folder, path), { force: true });
      copy(path);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
