import { MedusaError } from "@medusajs/framework/utils";
import { createTidegate, type Tidegate, TidegateConnectionError, TidegateError } from "@tidegate/client";
import type { TidegateProviderOptions } from "./options.ts";

/** Everything that the provider's verbs need. */
export type Connection = {
  readonly tidegate: Tidegate;
  readonly options: TidegateProviderOptions;
  readonly warn: (message: string) => void;
};

export function connect(options: TidegateProviderOptions, warn: (message: string) => void): Connection {
  const { apiKey, baseUrl } = options;
  return { tidegate: createTidegate({ apiKey, baseUrl }), options, warn };
}

/**
 * The idempotency key of one operation. Medusa hands the id of the session, capture, refund or payment, and uses the same
 * one for several operations; the gateway takes each key once.
 */
export function keyOf(
  operation: string,
  ...parts: readonly (string | number | undefined)[]
): string | undefined {
  return parts.includes(undefined) ? undefined : ["medusa", operation, ...parts].join("-");
}

/** Medusa shows the message of its own errors only; others become "unknown error". */
export async function answered<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TidegateConnectionError || (error instanceof TidegateError && error.status >= 500)) {
      throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, `Tidegate: ${error.message}`);
    }
    if (error instanceof TidegateError) {
      const { INVALID_DATA, NOT_ALLOWED } = MedusaError.Types;
      throw new MedusaError(error.status === 400 ? INVALID_DATA : NOT_ALLOWED, `Tidegate: ${error.message}`);
    }
    throw error;
  }
}
