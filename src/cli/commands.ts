import { ACQUIRER_COMMANDS } from "./acquirer-commands.ts";
import { AUDIT_COMMANDS } from "./audit-commands.ts";
import type { Command } from "./command.ts";
import { DEBIT_COMMANDS } from "./debit-commands.ts";
import { DOCTOR_COMMANDS } from "./doctor-commands.ts";
import { DOMAIN_COMMANDS } from "./domain-commands.ts";
import { EVENT_COMMANDS } from "./event-commands.ts";
import { FEE_COMMANDS } from "./fee-commands.ts";
import { GATEWAY_COMMANDS } from "./gateway-commands.ts";
import { JOB_COMMANDS } from "./job-commands.ts";
import { KEY_COMMANDS } from "./key-commands.ts";
import { LINK_COMMANDS } from "./link-commands.ts";
import { MERCHANT_COMMANDS } from "./merchant-commands.ts";
import { PAGE_COMMANDS } from "./page-commands.ts";
import { PAYID_COMMANDS } from "./payid-commands.ts";
import { RECONCILE_COMMANDS } from "./reconcile-commands.ts";
import { SANDBOX_COMMANDS } from "./sandbox-commands.ts";
import { USER_COMMANDS } from "./user-commands.ts";
import { VAULT_COMMANDS } from "./vault-commands.ts";

/** Every command, in the order of `tidegate --help`. */
export const COMMANDS: readonly Command[] = [
  ...GATEWAY_COMMANDS,
  ...DOCTOR_COMMANDS,
  ...MERCHANT_COMMANDS,
  ...FEE_COMMANDS,
  ...ACQUIRER_COMMANDS,
  ...KEY_COMMANDS,
  ...USER_COMMANDS,
  ...LINK_COMMANDS,
  ...EVENT_COMMANDS,
  ...SANDBOX_COMMANDS,
  ...PAYID_COMMANDS,
  ...JOB_COMMANDS,
  ...VAULT_COMMANDS,
  ...AUDIT_COMMANDS,
  ...DOMAIN_COMMANDS,
  ...PAGE_COMMANDS,
  ...DEBIT_COMMANDS,
  ...RECONCILE_COMMANDS,
];
