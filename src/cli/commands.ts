import type { Command } from "./command.ts";

/**
 * The files of commands, in the order of `tidegate --help`, each loaded when one of its commands runs: to load them all takes
 * two seconds of CPU.
 */
export const COMMAND_GROUPS = {
  gateway: async () => (await import("./gateway-commands.ts")).GATEWAY_COMMANDS,
  doctor: async () => (await import("./doctor-commands.ts")).DOCTOR_COMMANDS,
  merchant: async () => (await import("./merchant-commands.ts")).MERCHANT_COMMANDS,
  fee: async () => (await import("./fee-commands.ts")).FEE_COMMANDS,
  acquirer: async () => (await import("./acquirer-commands.ts")).ACQUIRER_COMMANDS,
  key: async () => (await import("./key-commands.ts")).KEY_COMMANDS,
  user: async () => (await import("./user-commands.ts")).USER_COMMANDS,
  link: async () => (await import("./link-commands.ts")).LINK_COMMANDS,
  event: async () => (await import("./event-commands.ts")).EVENT_COMMANDS,
  sandbox: async () => (await import("./sandbox-commands.ts")).SANDBOX_COMMANDS,
  payid: async () => (await import("./payid-commands.ts")).PAYID_COMMANDS,
  job: async () => (await import("./job-commands.ts")).JOB_COMMANDS,
  vault: async () => (await import("./vault-commands.ts")).VAULT_COMMANDS,
  audit: async () => (await import("./audit-commands.ts")).AUDIT_COMMANDS,
  domain: async () => (await import("./domain-commands.ts")).DOMAIN_COMMANDS,
  page: async () => (await import("./page-commands.ts")).PAGE_COMMANDS,
  debit: async () => (await import("./debit-commands.ts")).DEBIT_COMMANDS,
  reconcile: async () => (await import("./reconcile-commands.ts")).RECONCILE_COMMANDS,
} as const satisfies Readonly<Record<string, () => Promise<readonly Command[]>>>;

export type CommandGroup = keyof typeof COMMAND_GROUPS;

/** Every command, in the order of `tidegate --help`. */
export async function loadAllCommands(): Promise<readonly Command[]> {
  const groups = await Promise.all(Object.values(COMMAND_GROUPS).map((load) => load()));
  return groups.flat();
}
