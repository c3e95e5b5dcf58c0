/**
 * The part of Medusa's types that this package uses, so that the gateway's checkout needs no Medusa. It is not published:
 * shops compile against their own Medusa, and tests/interop/medusa.test.ts does so with a real one.
 */
declare module "@medusajs/framework/types" {
  type Data = Record<string, unknown>;
  export type BigNumberInput =
    | number
    | string
    | { value: string | number; [key: string]: unknown }
    | { numeric: number; toJSON(): number; valueOf(): number };
  type Context = { idempotency_key?: string };
  type Input = { data?: Data; context?: Context };
  type Output = { data?: Data };
  export type PaymentSessionStatus =
    | "authorized"
    | "captured"
    | "pending"
    | "requires_more"
    | "error"
    | "canceled"
    | "pending_authorization";
  export type InitiatePaymentInput = Input & { amount: BigNumberInput; currency_code: string };
  export type InitiatePaymentOutput = Output & { id: string; status?: PaymentSessionStatus };
  export type UpdatePaymentInput = InitiatePaymentInput;
  export type UpdatePaymentOutput = Output & { status?: PaymentSessionStatus };
  export type DeletePaymentInput = Input;
  export type DeletePaymentOutput = Output;
  export type AuthorizePaymentInput = Input;
  export type AuthorizePaymentOutput = Output & { status: PaymentSessionStatus };
  export type CapturePaymentInput = Input;
  export type CapturePaymentOutput = Output;
  export type RefundPaymentInput = Input & { amount: BigNumberInput };
  export type RefundPaymentOutput = Output;
  export type RetrievePaymentInput = Input;
  export type RetrievePaymentOutput = Output;
  export type CancelPaymentInput = Input;
  export type CancelPaymentOutput = Output;
  export type GetPaymentStatusInput = Input;
  export type GetPaymentStatusOutput = Output & { status: PaymentSessionStatus };
  export type ProviderWebhookPayload = {
    provider: string;
    payload: { data: Data; rawData: string | Uint8Array; headers: Data };
  };
  export type WebhookActionResult = {
    action: "authorized" | "captured" | "failed" | "pending" | "requires_more" | "canceled" | "not_supported";
    data?: { session_id: string; amount: number };
  };
  export type Logger = { warn: (message: string) => void };
}

declare module "@medusajs/framework/utils" {
  import type * as Types from "@medusajs/framework/types";

  export const MathBN: { convert(amount: Types.BigNumberInput): { toFixed(): string } };
  export class MedusaError extends Error {
    constructor(type: string, message: string);
    static Types: Record<"INVALID_DATA" | "NOT_ALLOWED" | "UNAUTHORIZED" | "UNEXPECTED_STATE", string>;
    static isMedusaError(error: unknown): boolean;
  }
  export abstract class AbstractPaymentProvider<Config> {
    static identifier: string;
    // biome-ignore lint/suspicious/noExplicitAny: as Medusa declares it
    static validateOptions(options: Record<any, any>): void;
    protected readonly config: Config;
    protected constructor(cradle: Record<string, unknown>, config?: Config);
    abstract initiatePayment(input: Types.InitiatePaymentInput): Promise<Types.InitiatePaymentOutput>;
    abstract updatePayment(input: Types.UpdatePaymentInput): Promise<Types.UpdatePaymentOutput>;
    abstract deletePayment(input: Types.DeletePaymentInput): Promise<Types.DeletePaymentOutput>;
    abstract authorizePayment(input: Types.AuthorizePaymentInput): Promise<Types.AuthorizePaymentOutput>;
    abstract capturePayment(input: Types.CapturePaymentInput): Promise<Types.CapturePaymentOutput>;
    abstract refundPayment(input: Types.RefundPaymentInput): Promise<Types.RefundPaymentOutput>;
    abstract retrievePayment(input: Types.RetrievePaymentInput): Promise<Types.RetrievePaymentOutput>;
    abstract cancelPayment(input: Types.CancelPaymentInput): Promise<Types.CancelPaymentOutput>;
    abstract getPaymentStatus(input: Types.GetPaymentStatusInput): Promise<Types.GetPaymentStatusOutput>;
    abstract getWebhookActionAndData(
      payload: Types.ProviderWebhookPayload["payload"],
    ): Promise<Types.WebhookActionResult>;
  }
}
