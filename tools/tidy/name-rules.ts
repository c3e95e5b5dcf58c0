import { isCode, isTest, type Offence, type RepoFile } from "./offence.ts";

/** Words that let anything in. */
const VAGUE = "utils helpers common misc lib core services managers types".split(" ");
const VAGUE_FILE = new RegExp(`(?:^|-)(?:${VAGUE.join("|")}|util|helper|service|manager)$`);

export function nameOffences(files: readonly RepoFile[]): readonly Offence[] {
  const offences: Offence[] = [];
  const seen = new Set<string>();
  for (const { path } of files) {
    const folders = path.split("/");
    const stem = (folders.pop() ?? "").replace(/(?:\.test)?\.\w+$/, "");
    for (const [depth, folder] of folders.entries()) {
      const at = folders.slice(0, depth + 1).join("/");
      if (!VAGUE.includes(folder) || seen.has(at)) continue;
      seen.add(at);
      const mend = "name the folder after the noun it is about";
      offences.push({
        path,
        line: 1,
        rule: "folder-name",
        problem: `${at}: a folder of this name lets anything in`,
        mend,
      });
    }
    if (isCode(path) && (VAGUE_FILE.test(stem) || (/-\d$/.test(stem) && !isTest(path)))) {
      const mend = "split by verb or by rule, and name the file after that";
      offences.push({
        path,
        line: 1,
        rule: "file-name",
        problem: `"${stem}" does not say what is in the file`,
        mend,
      });
    }
  }
  return offences;
}
