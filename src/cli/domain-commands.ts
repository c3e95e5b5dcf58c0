import { isDomainName, verifyDomain } from "../features/wallet-domains/index.ts";
import { type Command, UsageProblem } from "./command.ts";
import { chooseMerchant, WHOSE } from "./look-up.ts";

export const DOMAIN_COMMANDS: readonly Command[] = [
  {
    words: "domains check",
    about:
      "Fetch a domain's Apple Pay association file as a registration would, and say what is wrong with it.",
    positional: "domain",
    options: { merchant: WHOSE },
    examples: ["domains check shop.example"],
    run: async (ctx, given) => {
      const merchant = await chooseMerchant(ctx, given);
      const domain = (given.positionals[0] ?? "").toLowerCase();
      if (!isDomainName(domain))
        throw new UsageProblem("<domain> must be a full domain name such as shop.example");
      const reason = await verifyDomain(ctx, merchant, domain);
      return {
        json: { domain, verified: reason === undefined, ...(reason === undefined ? {} : { reason }) },
        lines: [reason === undefined ? `${domain}: the file is there and right` : `${domain}: ${reason}`],
        failed: reason !== undefined,
      };
    },
  },
];
