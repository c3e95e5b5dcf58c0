import type { AcquirerConnector } from "../../src/connectors/ports/acquirer-connector.ts";
import type {
  AcquirerAnswer,
  AuthorisationRequest,
  CardAcquirer,
  NotifiedFact,
} from "../../src/connectors/ports/card-acquirer.ts";
import { createAcquirers } from "../../src/features/acquirer-accounts/index.ts";
import { approve } from "../../src/kernel/codes/outcomes.ts";
import type { Context } from "../../src/platform/context.ts";

/** What a fake host was asked. */
export type HostCall = {
  readonly account: string;
  readonly verb: "authorise" | "verify" | "inquire" | "reverse" | "capture" | "void" | "refund";
  readonly reference: string;
  readonly request?: AuthorisationRequest;
  readonly cardNumber?: string | undefined;
};

export type FakeHosts = {
  readonly calls: HostCall[];
  /** The answers of a host by the `name` in its settings; an approval by default. */
  readonly answers: Map<string, Partial<Record<HostCall["verb"], () => Promise<AcquirerAnswer>>>>;
  readonly wrapContext: (ctx: Context) => Context;
};

const FAKES: readonly string[] = ["fake", "fake-two"];

type HostSettings = {
  readonly name: string;
  readonly inquires?: boolean;
  readonly wantsNumber?: boolean;
  readonly answersWithinMs?: number;
};

/**
 * Hosts that tests control, behind the acquirer connectors `fake` and `fake-two`. Their settings are `HostSettings`. They cannot be asked
 * about a payment, unless `inquires`.
 */
export function createFakeHosts(): FakeHosts {
  const calls: HostCall[] = [];
  const answers: FakeHosts["answers"] = new Map();

  const connector: AcquirerConnector = {
    checkSettings: async (settings) =>
      typeof settings === "object" && settings !== null && "name" in settings ? [] : ["name is missing"],
    open: ({ settings }) => hostOf(settings as HostSettings),
  };

  function hostOf(settings: HostSettings): CardAcquirer {
    const { name, inquires = false, wantsNumber = false, answersWithinMs = 15_000 } = settings;
    const answer = (call: Omit<HostCall, "account">): Promise<AcquirerAnswer> => {
      calls.push({ account: name, ...call });
      return answers.get(name)?.[call.verb]?.() ?? Promise.resolve(approve("approved"));
    };
    return {
      can: { inquire: inquires, repeatRefund: false },
      needs: { cardNumber: wantsNumber },
      answersWithinMs,
      repeatsWithinMs: 500,
      authorise: (request) => answer({ verb: "authorise", reference: request.reference, request }),
      verify: (request) => answer({ verb: "verify", reference: request.reference, request }),
      ...(inquires ? { inquire: (reference: string) => answer({ verb: "inquire", reference }) } : {}),
      reverse: ({ reference, payment }) =>
        answer({ verb: "reverse", reference, cardNumber: payment.card?.number }),
      capture: ({ reference, payment }) =>
        answer({ verb: "capture", reference, cardNumber: payment.card?.number }),
      void: ({ reference, payment }) => answer({ verb: "void", reference, cardNumber: payment.card?.number }),
      refund: ({ reference, payment }) =>
        answer({ verb: "refund", reference, cardNumber: payment.card?.number }),
      notification: async (headers, body) =>
        headers["x-fake-signature"] === "right"
          ? { kind: "verified", facts: JSON.parse(body) as NotifiedFact[], reply: "[accepted]" }
          : { kind: "refused", reason: "wrong signature" },
      test: async () => ({ hasPassed: true, milliseconds: 1, detail: "The fake host answers." }),
      close: async () => {},
    };
  }

  return {
    calls,
    answers,
    wrapContext: (ctx) => {
      const connectors: Context["connectors"] = {
        ...ctx.connectors,
        findAcquirerConnector: (name) =>
          FAKES.includes(name) ? connector : ctx.connectors.findAcquirerConnector(name),
        acquirerConnectorNames: [...ctx.connectors.acquirerConnectorNames, ...FAKES],
      };
      return { ...ctx, connectors, acquirers: createAcquirers({ ...ctx, connectors }) };
    },
  };
}
