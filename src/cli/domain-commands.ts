import { isDomainName, verifyDomain } from "../features/wallet-domains/index.ts";
import { defined } from "../kernel/defined.ts";
import { chooseMerchant, MERCHANT_OPTION } from "./choose-merchant.ts";
import { type Command, UsageProblem } from "./command.ts";

export const DOMAIN_COMMANDS: readonly Command[] = [
  {
    name: "domains check",
    reads: true,
    about:
      "Fetch a domain's Apple Pay association file as a registration does, and print what is wrong with it.",
    positional: "domain",
    options: { merchant: MERCHANT_OPTION },
    examples: ["domains check shop.example"],
    run: async (ctx, args) => {
      const merchant = await chooseMerchant(ctx, args);
      const domain = (args.positionals[0] ?? "").toLowerCase();
      if (!isDomainName(domain))
        throw new UsageProblem("<domain> must be a full domain name such as shop.example");
      const reason = await verifyDomain(ctx, merchant, domain);
      return {
        json: defined({ domain, verified: reason === undefined, reason }),
        lines: [reason === undefined ? `${domain}: the file is correct` : `${domain}: ${reason}`],
        failed: reason !== undefined,
      };
    },
  },
];
