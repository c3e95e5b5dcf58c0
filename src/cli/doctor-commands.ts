import type { Command } from "./command.ts";
import { examine } from "./doctor/examine.ts";
import { linesOf } from "./doctor/finding.ts";

export const DOCTOR_COMMANDS: readonly Command[] = [
  {
    words: "doctor",
    about:
      "Look at everything around the gateway and say what to fix: settings, database, clock, vault, ports, addresses, TLS, backlogs, disk. Exit code 1 when something fails.",
    options: {},
    examples: ["doctor", "doctor --json"],
    runAlone: async () => {
      const findings = await examine(process.env);
      const failed = findings.some(({ status }) => status === "fail");
      const warned = findings.filter(({ status }) => status === "warn").length;
      const all = failed
        ? "Something is wrong."
        : warned > 0
          ? "It works; see the warnings."
          : "All is well.";
      return { json: { healthy: !failed, findings }, lines: [...findings.flatMap(linesOf), "", all], failed };
    },
  },
];
