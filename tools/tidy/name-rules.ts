import { isCode, isTest, type Problem, type RepoFile } from "./problem.ts";

/** Words that let anything in. */
const VAGUE = "utils helpers common misc lib core services managers types".split(" ");
const VAGUE_FILE = new RegExp(`(?:^|-)(?:${VAGUE.join("|")}|util|helper|service|manager)$`);

export function nameProblems(files: readonly RepoFile[]): readonly Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const { path } of files) {
    const folders = path.split("/");
    const stem = (folders.pop() ?? "").replace(/(?:\.test)?\.\w+$/, "");
    for (const [depth, folder] of folders.entries()) {
      const at = folders.slice(0, depth + 1).join("/");
      if (!VAGUE.includes(folder) || seen.has(at)) continue;
      seen.add(at);
      const fix = "name the folder after the noun it is about";
      problems.push({
        path,
        line: 1,
        rule: "folder-name",
        message: `${at}: a folder of this name lets anything in`,
        fix,
      });
    }
    if (isCode(path) && (VAGUE_FILE.test(stem) || (/-\d$/.test(stem) && !isTest(path)))) {
      const fix = "split by verb or by rule, and name the file after that";
      problems.push({
        path,
        line: 1,
        rule: "file-name",
        message: `"${stem}" does not say what is in the file`,
        fix,
      });
    }
  }
  return problems;
}
