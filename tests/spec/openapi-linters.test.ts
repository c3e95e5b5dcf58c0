import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { API_ROUTES } from "../../src/app/routes.ts";
import { openApiDocument } from "../../src/platform/http/openapi.ts";

/** A folder outside the repository with `npm install @stoplight/spectral-cli @redocly/cli`; neither is a dependency. */
const LINTERS = process.env["OPENAPI_LINTERS"] ?? "";

const RUNS = {
  spectral: ["lint", "--ruleset", "spectral.yaml", "--fail-severity", "hint", "openapi.json"],
  redocly: ["lint", "--max-problems", "1000", "--format", "json", "openapi.json"],
} as const;

describe("linters find no error and no warning in the API description", () => {
  for (const [name, words] of Object.entries(RUNS)) {
    const program = join(LINTERS, "node_modules/.bin", name);
    const skip = LINTERS !== "" && existsSync(program) ? false : "OPENAPI_LINTERS names no folder with it";
    test(name, { skip }, () => {
      const folder = mkdtempSync(join(tmpdir(), "openapi-"));
      try {
        const document = openApiDocument(API_ROUTES, { version: "1.2.3", baseUrl: "http://localhost:4000" });
        writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
        writeFileSync(join(folder, "spectral.yaml"), 'extends: ["spectral:oas"]\n');
        const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
        const output = execFileSync(program, words, { cwd: folder, env, encoding: "utf8" });
        if (name === "spectral") return;
        const { totals } = JSON.parse(output) as { readonly totals: object };
        assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 });
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});
