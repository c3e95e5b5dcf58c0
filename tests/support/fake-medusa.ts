/** As much of `@medusajs/framework/utils` as the provider uses. tests/interop/medusa.test.ts runs it in a real Medusa. */
export class MedusaError extends Error {
  static readonly Types = {
    INVALID_DATA: "invalid_data",
    NOT_ALLOWED: "not_allowed",
    UNAUTHORIZED: "unauthorized",
    UNEXPECTED_STATE: "unexpected_state",
  };
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

export const MathBN = { convert: (amount: number) => ({ toFixed: () => String(amount) }) };

export class AbstractPaymentProvider {}
