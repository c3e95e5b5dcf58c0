import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { proveUnderLoad } from "../support/fault-run.ts";
import { startOwnPostgres } from "../support/own-postgres.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { SOUND } from "../support/settle.ts";

const TIMES = sized(1, 8);
const FULL_MS = sized(5_000, 20_000);
/** The server goes on for a while in the space that its files have. */
const FELT_WITHIN_MS = 120_000;
const MEGABYTES = 400;

const proof = declareProof("the database's disk is full under mixed load, and has room again", SOUND);

/** A file system of a fixed size, or why this machine has none. */
function mountSmallDisk(): { readonly folder: string } | { readonly reason: string } {
  const folder = mkdtempSync(join(tmpdir(), "tidegate-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${MEGABYTES}m`, "tmpfs", folder], { stdio: "pipe" });
    // The account of the embedded PostgreSQL enters it, too.
    chmodSync(folder, 0o755);
    return { folder };
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return { reason: "no small file system can be mounted here (needs root and mount)" };
  }
}

/** Writes until the disk is full. */
function fill(file: string): void {
  const handle = openSync(file, "w");
  const block = Buffer.alloc(64 * 1_024, 1);
  try {
    for (;;) writeSync(handle, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(handle);
  }
}

test("a full disk loses nothing that was answered, and the nodes go on when it has room", async (t) => {
  const disk = mountSmallDisk();
  if ("reason" in disk) {
    t.skip(proof.skip(disk.reason));
    return;
  }
  const filler = join(disk.folder, "filler");
  try {
    const server = await startOwnPostgres(join(disk.folder, "data"));
    const { database } = server;
    try {
      const random = seeded(proofSeed);
      await proveUnderLoad(proof, { random, database }, async ({ load, untilPaid, faultEnds }) => {
        for (let time = 0; time < TIMES; time += 1) {
          await untilPaid(10);
          // The server frees and takes space meanwhile: fill it until the time is over.
          const { interrupted } = load.answered.counts;
          const isFelt = () => load.answered.counts.interrupted > interrupted;
          const [until, latest] = [Date.now() + FULL_MS, Date.now() + FELT_WITHIN_MS];
          while (Date.now() < until || (!isFelt() && Date.now() < latest)) {
            fill(`${filler}-${Date.now()}`);
            await pause(250);
          }
          assert.ok(isFelt(), "the disk was full, and no call met it");
          execFileSync("find", [disk.folder, "-maxdepth", "1", "-name", "filler-*", "-delete"]);
          await server.untilBack();
          faultEnds();
        }
        await untilPaid(10);
      });
      proof.count({ "full disks": TIMES });
    } finally {
      await server.stop();
    }
  } finally {
    execFileSync("umount", ["--lazy", disk.folder]);
    rmSync(disk.folder, { recursive: true, force: true });
  }
});
