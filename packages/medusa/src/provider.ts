import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  Logger,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from "@medusajs/framework/types";
import { AbstractPaymentProvider, MedusaError } from "@medusajs/framework/utils";
import { capturePayment } from "./capture-payment.ts";
import { answered, type Connection, connect, keyOf } from "./connection.ts";
import { cancelPayment, deletePayment } from "./end-payment.ts";
import { centsOf, currencyOf } from "./money.ts";
import { checkOptions, type TidegateProviderOptions } from "./options.ts";
import { dataOf, readPayment } from "./payment-state.ts";
import { refundPayment } from "./refund-payment.ts";
import { startPayment } from "./start-payment.ts";
import { updatePayment } from "./update-payment.ts";
import { webhookAction } from "./webhook-action.ts";

/** A BCP 47 tag; what a storefront sends otherwise is ignored. */
const LOCALE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$/;

/** Medusa's payment provider: every method calls one verb and shows its errors as Medusa's. */
export class TidegatePaymentProvider extends AbstractPaymentProvider<TidegateProviderOptions> {
  static override identifier = "tidegate";

  // biome-ignore lint/suspicious/noExplicitAny: as Medusa declares it
  static override validateOptions(options: Record<any, any>): void {
    checkOptions(options);
  }

  readonly #connection: Connection;

  constructor(container: Record<string, unknown>, options: TidegateProviderOptions) {
    super(container, options);
    checkOptions(options);
    const { logger } = container as { readonly logger?: Logger };
    this.#connection = connect(options, (message) => logger?.warn(message));
  }

  override initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    return answered(async () => {
      const { options } = this.#connection;
      // Medusa sets it last: a storefront cannot choose it.
      const sessionId = input.data?.["session_id"];
      if (typeof sessionId !== "string") {
        throw new MedusaError(MedusaError.Types.INVALID_DATA, "Tidegate needs the payment session's id.");
      }
      const locale = input.data?.["locale"];
      const data = await startPayment(this.#connection, {
        sessionId,
        amount: centsOf(input.amount, { round: options.roundToCents === true }),
        currency: currencyOf(input.currency_code),
        locale: typeof locale === "string" && LOCALE.test(locale) ? locale : undefined,
        idempotencyKey: keyOf("initiate", input.context?.idempotency_key ?? sessionId),
      });
      return { id: data.payment_request_id, status: "pending", data };
    });
  }

  override updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return answered(async () => ({ status: "pending", data: await updatePayment(this.#connection, input) }));
  }

  /** The payer pays in the checkout; this reads whether that happened. */
  override authorizePayment({ data }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return answered(async () => {
      const state = await readPayment(this.#connection, data);
      return { status: state.status, data: dataOf(state) };
    });
  }

  override getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return this.authorizePayment(data === undefined ? {} : { data });
  }

  override retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return answered(async () => ({ data: dataOf(await readPayment(this.#connection, data)) }));
  }

  override capturePayment(input: CapturePaymentInput): Promise<CapturePaymentOutput> {
    return answered(async () => ({ data: dataOf(await capturePayment(this.#connection, input)) }));
  }

  override refundPayment(input: RefundPaymentInput): Promise<RefundPaymentOutput> {
    return answered(async () => ({ data: dataOf(await refundPayment(this.#connection, input)) }));
  }

  override cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return answered(async () => ({ data: dataOf(await cancelPayment(this.#connection, data)) }));
  }

  override deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return answered(async () => {
      await deletePayment(this.#connection, data);
      return data === undefined ? {} : { data };
    });
  }

  override async getWebhookActionAndData(
    payload: ProviderWebhookPayload["payload"],
  ): Promise<WebhookActionResult> {
    return webhookAction(this.#connection, payload);
  }
}
