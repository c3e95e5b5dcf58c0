import { PAYMENT_BUGS } from "./payment-bugs.ts";
import type { PlantedBug } from "./planted-bug.ts";
import { PLATFORM_BUGS } from "./platform-bugs.ts";

export const PLANTED_BUGS: readonly PlantedBug[] = [...PAYMENT_BUGS, ...PLATFORM_BUGS];
