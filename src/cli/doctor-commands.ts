import type { Command } from "./command.ts";
import { examine } from "./doctor/examine.ts";
import { linesOf } from "./doctor/finding.ts";

export const DOCTOR_COMMANDS: readonly Command[] = [
  {
    name: "doctor",
    about:
      "Check settings, database, clock, vault, ports, addresses, TLS, backlogs and disk, and print what to fix. Exit code 1 if a check fails.",
    options: {},
    examples: ["doctor", "doctor --json"],
    runAlone: async () => {
      const findings = await examine(process.env);
      const failed = findings.some(({ status }) => status === "fail");
      const warned = findings.filter(({ status }) => status === "warn").length;
      const summary = failed
        ? "Something is wrong."
        : warned > 0
          ? "It works; see the warnings."
          : "All is well.";
      return {
        json: { healthy: !failed, findings },
        lines: [...findings.flatMap(linesOf), "", summary],
        failed,
      };
    },
  },
];
