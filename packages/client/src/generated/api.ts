/**
 * All that the API description says, as TypeScript. Made from it by `npm run docs`; change the routes, not this file.
 */

/** The version of this package. */
export const VERSION = "0.1.0";

/** Every code of the catalogue. A newer gateway may have more. */
export type CodeId =
  | "S10000"
  | "S10001"
  | "S12100"
  | "V10004"
  | "V10018"
  | "V10086"
  | "V10087"
  | "V10088"
  | "V10089"
  | "V10090"
  | "V10214"
  | "V10215"
  | "V10216"
  | "V10219"
  | "V11000"
  | "V11001"
  | "V11002"
  | "V11003"
  | "V11004"
  | "V11005"
  | "V11006"
  | "V11007"
  | "V11008"
  | "V11009"
  | "V11010"
  | "V11011"
  | "V11012"
  | "V11013"
  | "V11014"
  | "V11015"
  | "V11020"
  | "V11021"
  | "V11022"
  | "V11023"
  | "V11024"
  | "V11025"
  | "V11026"
  | "V11027"
  | "V11028"
  | "V11029"
  | "V11100"
  | "V11101"
  | "V11102"
  | "V11103"
  | "V11104"
  | "V11105"
  | "V11106"
  | "V11107"
  | "V11108"
  | "V11109"
  | "V11110"
  | "V11111"
  | "V11112"
  | "V11120"
  | "V11121"
  | "V11122"
  | "V11123"
  | "V11124"
  | "V11125"
  | "V11126"
  | "V11127"
  | "V11128"
  | "V11130"
  | "V11131"
  | "V11132"
  | "V11133"
  | "V11134"
  | "V11135"
  | "V11180"
  | "V11181"
  | "V11182"
  | "V11183"
  | "V11190"
  | "V11200"
  | "V11201"
  | "V11202"
  | "V11203"
  | "V11204"
  | "V11205"
  | "V11206"
  | "V11207"
  | "V11208"
  | "V11210"
  | "V11211"
  | "V11212"
  | "V11213"
  | "V11214"
  | "V11215"
  | "V11216"
  | "V11220"
  | "V11221"
  | "V11222"
  | "V11223"
  | "V11224"
  | "V11225"
  | "V11230"
  | "V11300"
  | "V11301"
  | "V11302"
  | "V11303"
  | "V11304"
  | "V11305"
  | "V11306"
  | "V11307"
  | "V11308"
  | "V11309"
  | "V11310"
  | "V11311"
  | "V11312"
  | "V11313"
  | "V11314"
  | "V11320"
  | "V11400"
  | "V11401"
  | "V11402"
  | "V11500"
  | "V11501"
  | "V11600"
  | "V11601"
  | "V11602"
  | "V11603"
  | "V11604"
  | "V11605"
  | "V11606"
  | "V11610"
  | "V11611"
  | "V11612"
  | "V11613"
  | "V11614"
  | "V11615"
  | "V11616"
  | "V11617"
  | "V11618"
  | "V11620"
  | "V11621"
  | "V11622"
  | "V11623"
  | "V11624"
  | "V11625"
  | "V11626"
  | "V11627"
  | "V11628"
  | "V11629"
  | "V11630"
  | "V11631"
  | "V11700"
  | "V11701"
  | "V11710"
  | "V11711"
  | "V11712"
  | "V11720"
  | "V11721"
  | "V11730"
  | "V11731"
  | "V11732"
  | "V11733"
  | "V11734"
  | "V11735"
  | "V11736"
  | "V11737"
  | "V11738"
  | "V11739"
  | "V11740"
  | "V11741"
  | "V11742"
  | "V11743"
  | "V11800"
  | "V11801"
  | "V11820"
  | "V11821"
  | "V11822"
  | "V11823"
  | "V11830"
  | "V11831"
  | "V11832"
  | "V11900"
  | "V11901"
  | "V11902"
  | "V11903"
  | "V11904"
  | "V11905"
  | "V11910"
  | "V11911"
  | "V11920"
  | "V11921"
  | "V11922"
  | "V11930"
  | "V11931"
  | "V11932"
  | "V11933"
  | "V12000"
  | "V12001"
  | "V12002"
  | "V12003"
  | "V12050"
  | "V12100"
  | "V12101"
  | "V12102"
  | "V12103"
  | "V12104"
  | "V13000"
  | "V13001"
  | "V13002"
  | "V13003"
  | "V13004"
  | "V13010"
  | "V13011"
  | "V13012"
  | "V13013"
  | "V13014"
  | "V13020"
  | "V13021"
  | "V13022";

export type Account = {
  readonly id: string;
  readonly name: string;
  readonly country: "AU" | "NZ";
  readonly currencyCode: "AUD" | "NZD";
  readonly capabilities: {
    readonly cardNotPresent: boolean;
    readonly threeDSecure: boolean;
    readonly applePay: boolean;
    readonly googlePay: boolean;
    readonly directDebit: boolean;
    readonly payId: boolean;
  };
  readonly allowedOrigins: readonly string[];
  readonly surcharging: {
    readonly enabled: boolean;
    readonly rates: {
      readonly visa?: {
        readonly percent: number;
        readonly fixed: number;
        readonly from?: string;
        readonly until?: string;
      };
      readonly mastercard?: {
        readonly percent: number;
        readonly fixed: number;
        readonly from?: string;
        readonly until?: string;
      };
      readonly amex?: {
        readonly percent: number;
        readonly fixed: number;
        readonly from?: string;
        readonly until?: string;
      };
      readonly diners?: {
        readonly percent: number;
        readonly fixed: number;
        readonly from?: string;
        readonly until?: string;
      };
      readonly discover?: {
        readonly percent: number;
        readonly fixed: number;
        readonly from?: string;
        readonly until?: string;
      };
      readonly jcb?: {
        readonly percent: number;
        readonly fixed: number;
        readonly from?: string;
        readonly until?: string;
      };
      readonly unionpay?: {
        readonly percent: number;
        readonly fixed: number;
        readonly from?: string;
        readonly until?: string;
      };
      readonly eftpos?: {
        readonly percent: number;
        readonly fixed: number;
        readonly from?: string;
        readonly until?: string;
      };
    };
  };
  /** ISO 8601, UTC. */
  readonly createdDateTime: string;
  /** ISO 8601, UTC. */
  readonly updatedDateTime: string;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type AdvanceSandboxClockAnswer = {
  /** ISO 8601, UTC. */
  readonly currentDateTime: string;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type AdvanceSandboxClockBody = {
  readonly seconds: number;
};

/** Host it as it is, as `text/plain` or `application/octet-stream`. */
export type ApplePayAssociation = string;

export type ApplePayDomains = {
  readonly domains: readonly {
    readonly domain: string;
    readonly status: "registered";
    /** ISO 8601, UTC. */
    readonly registeredDateTime: string;
  }[];
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type CaptureTransactionBody = {
  /** At most 64 characters. */
  readonly reference?: string | undefined;
  readonly payment?: {
    /** Default: all of it. */
    readonly amount?: number | undefined;
  } | undefined;
};

export type ChangeAccountBody = {
  /** At most 140 characters. */
  readonly name?: string | undefined;
  readonly country?: "AU" | "NZ" | undefined;
  readonly currencyCode?: "AUD" | "NZD" | undefined;
  readonly capabilities?: {
    readonly cardNotPresent?: boolean | undefined;
    readonly threeDSecure?: boolean | undefined;
    readonly applePay?: boolean | undefined;
    readonly googlePay?: boolean | undefined;
    readonly directDebit?: boolean | undefined;
    readonly payId?: boolean | undefined;
  } | undefined;
  /** Pages that may embed the checkout; empty: any page. At most 50. */
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly surcharging?: {
    readonly enabled?: boolean | undefined;
    readonly rates?: {
      readonly visa?: {
        /** Percent of the amount, at most 4 decimals. */
        readonly percent?: number | undefined;
        /** Cents beside the percentage. */
        readonly fixed?: number | undefined;
        readonly from?: string | null | undefined;
        readonly until?: string | null | undefined;
      } | null | undefined;
      readonly mastercard?: {
        /** Percent of the amount, at most 4 decimals. */
        readonly percent?: number | undefined;
        /** Cents beside the percentage. */
        readonly fixed?: number | undefined;
        readonly from?: string | null | undefined;
        readonly until?: string | null | undefined;
      } | null | undefined;
      readonly amex?: {
        /** Percent of the amount, at most 4 decimals. */
        readonly percent?: number | undefined;
        /** Cents beside the percentage. */
        readonly fixed?: number | undefined;
        readonly from?: string | null | undefined;
        readonly until?: string | null | undefined;
      } | null | undefined;
      readonly diners?: {
        /** Percent of the amount, at most 4 decimals. */
        readonly percent?: number | undefined;
        /** Cents beside the percentage. */
        readonly fixed?: number | undefined;
        readonly from?: string | null | undefined;
        readonly until?: string | null | undefined;
      } | null | undefined;
      readonly discover?: {
        /** Percent of the amount, at most 4 decimals. */
        readonly percent?: number | undefined;
        /** Cents beside the percentage. */
        readonly fixed?: number | undefined;
        readonly from?: string | null | undefined;
        readonly until?: string | null | undefined;
      } | null | undefined;
      readonly jcb?: {
        /** Percent of the amount, at most 4 decimals. */
        readonly percent?: number | undefined;
        /** Cents beside the percentage. */
        readonly fixed?: number | undefined;
        readonly from?: string | null | undefined;
        readonly until?: string | null | undefined;
      } | null | undefined;
      readonly unionpay?: {
        /** Percent of the amount, at most 4 decimals. */
        readonly percent?: number | undefined;
        /** Cents beside the percentage. */
        readonly fixed?: number | undefined;
        readonly from?: string | null | undefined;
        readonly until?: string | null | undefined;
      } | null | undefined;
      readonly eftpos?: {
        /** Percent of the amount, at most 4 decimals. */
        readonly percent?: number | undefined;
        /** Cents beside the percentage. */
        readonly fixed?: number | undefined;
        readonly from?: string | null | undefined;
        readonly until?: string | null | undefined;
      } | null | undefined;
    } | undefined;
  } | undefined;
};

export type ChangeCustomerBody = {
  /** At most 100 characters. */
  readonly name?: string | undefined;
  /** Answered masked. At most 254 characters. */
  readonly email?: string | undefined;
  /** At most 64 characters. */
  readonly reference?: string | undefined;
};

export type ChangePaymentInstrumentBody = {
  /** At most 64 characters. */
  readonly reference?: string | undefined;
  /** For a bank account. */
  readonly bankAccount?: {
    /** As the bank holds it. Australia: at most 32 characters. At most 100 characters. */
    readonly accountName?: string | undefined;
  } | undefined;
  /** For a card. */
  readonly card?: {
    /** At most 100 characters. */
    readonly name?: string | undefined;
    readonly expiryMonth?: number | undefined;
    readonly expiryYear?: number | undefined;
  } | undefined;
};

export type ChangeWebhookBody = {
  /** Where events are posted to; https for a live merchant. */
  readonly url?: string | undefined;
  readonly status?: "active" | "disabled" | undefined;
};

export type ChangeWebhookSettingsBody = {
  readonly username?: string | null | undefined;
  readonly password?: string | null | undefined;
  readonly header?: "Authorization" | "X-Authorization" | null | undefined;
};

export type CreateCustomerBody = {
  /** At most 100 characters. */
  readonly name: string;
  /** Answered masked. At most 254 characters. */
  readonly email: string;
  /** Default: the id. At most 64 characters. */
  readonly reference?: string | undefined;
};

export type CreatePaymentInstrumentBody = {
  /** Default: the id. At most 64 characters. */
  readonly reference?: string | undefined;
  readonly bankAccount: {
    /** As the bank holds it. Australia: at most 32 characters. At most 100 characters. */
    readonly accountName: string;
    /** Australia only; without it: New Zealand. */
    readonly bsb?: string | undefined;
    /** Australia: 6 to 9 digits. New Zealand: 2-4-7-2 or 2-4-7-3 digits, with or without hyphens. */
    readonly number: string;
  };
  /** Never: cards are stored by a checkout. */
  readonly card?: never | undefined;
};

export type CreatePaymentRequestBody = {
  /** Default: the id. At most 64 characters. */
  readonly reference?: string | undefined;
  /** At most 64 characters. */
  readonly externalReference?: string | undefined;
  /** One minute to 90 days ahead; default 24 hours. ISO 8601, UTC. */
  readonly expiryDateTime?: string | undefined;
  readonly payment: {
    /** Cents. */
    readonly amount: number;
    /** Default: the merchant's own. */
    readonly currencyCode?: "AUD" | "NZD" | undefined;
    /** Shown to the payer. At most 255 characters. */
    readonly description?: string | undefined;
    readonly instrument?: {
      /** Makes this a PayID request: the payer transfers the amount to the PayID of the answer. */
      readonly payId: {
        readonly type: "single";
        /** Unique among all open payment requests. At most 64 characters. */
        readonly value: string;
      };
    } | undefined;
  };
  /** Default `["card"]` with a hosted page. At most 3. */
  readonly paymentMethods?: readonly ("card" | "apple_pay" | "google_pay")[] | undefined;
  /** Required for a card or wallet checkout; `{}` takes all defaults. */
  readonly transactionRequest?: {
    readonly category?: {
      /** Default `single`. */
      readonly frequency?: "single" | "recurring" | undefined;
      /** Default `auto`. */
      readonly captureType?: "auto" | "manual" | undefined;
      readonly authenticationType?: "3d_secure" | undefined;
    } | undefined;
  } | undefined;
  /** Stores the payer's card for later, or prefills the form. */
  readonly customerRequest?: {
    readonly paymentInstrument?: "create" | undefined;
    /** At most 100 characters. */
    readonly name?: string | undefined;
    /** At most 254 characters. */
    readonly email?: string | undefined;
    /** An existing customer; not beside `name` or `email`. At most 64 characters. */
    readonly id?: string | undefined;
  } | undefined;
  /** Only with `apple_pay`: a long-lived token for repeat charges. */
  readonly agreementDetails?: {
    readonly frequency?: "daily" | "monthly" | "annual" | undefined;
    readonly frequencyCount?: number | undefined;
    /** At most 140 characters. */
    readonly description: string;
    /** Default today, in the merchant's zone. */
    readonly startDate?: string | undefined;
    readonly endDate?: string | undefined;
    readonly amount?: number | undefined;
    /** https; http too in the sandbox. */
    readonly managementURL: string;
    /** At most 140 characters. */
    readonly billingAgreement?: string | undefined;
  } | undefined;
  /** Makes this a hosted-page request; the answer has the address to send the payer to. */
  readonly hostedPaymentPage?: {
    /** At most 140 characters. */
    readonly merchantName?: string | undefined;
    /** `data:<mime>;base64,<data>` of a PNG, SVG or WebP image of at most 10,240 bytes. */
    readonly logo: string;
    /** Default `show`. */
    readonly resultPage?: "show" | "redirect" | "none" | undefined;
    /** Required when `resultPage` is `redirect`. */
    readonly redirectUrl?: string | undefined;
    /** At most 50. */
    readonly lineItems?: readonly {
      /** At most 50 characters. */
      readonly title: string;
      /** An http or https URL. */
      readonly image?: string | undefined;
      /** Cents for a quantity of 1. */
      readonly amount: number;
      /** Default 1; rounded half up to 3 decimals. */
      readonly quantity?: number | undefined;
      /** Unit label, such as `kg`. At most 50 characters. */
      readonly modifier?: string | undefined;
    }[] | undefined;
    /** Only with `lineItems`. At most 10. */
    readonly adjustments?: readonly {
      /** At most 30 characters. */
      readonly title: string;
      /** Cents; negative is a discount. */
      readonly amount: number;
      /** `Other`, `Discount`, `Shipping`, `Tax`, in any case. */
      readonly adjustmentType: string;
      /** On all adjustments or on none. */
      readonly order?: number | undefined;
    }[] | undefined;
    readonly attempts?: number | undefined;
  } | undefined;
};

export type CreateTokenBody = {
  readonly scope: "payui";
  /** At most 64 characters. */
  readonly paymentRequestId: string;
};

export type CreateTransactionBody = {
  /** Default: the transaction's id. At most 64 characters. */
  readonly reference?: string | undefined;
  readonly category?: {
    readonly origin?: "internet" | "mail" | "telephone" | undefined;
    readonly frequency?: "single" | "recurring" | undefined;
    readonly captureType?: "auto" | "manual" | undefined;
  } | undefined;
  readonly payment: {
    /** Cents. */
    readonly amount: number;
    /** Default: the account's, a debit's its bank's. */
    readonly currencyCode?: "AUD" | "NZD" | undefined;
    readonly instrument: {
      readonly customer: {
        /** At most 64 characters. */
        readonly id: string;
        /** At most 64 characters. */
        readonly paymentInstrumentId: string;
        /** The card's security code: used for this charge, stored nowhere. */
        readonly cvn?: string | undefined;
      };
    };
  };
};

export type CreateWebhookBody = {
  readonly event: "transactions" | "payouts" | "customers" | "payment_instruments" | "payment_requests";
  /** Where events are posted to; https for a live merchant. */
  readonly url: string;
};

export type Customer = {
  readonly id: string;
  readonly reference: string;
  readonly name: string;
  /** Masked. A customer that a checkout made may have none. */
  readonly email?: string;
  /** ISO 8601, UTC. */
  readonly createdDateTime: string;
  /** ISO 8601, UTC. */
  readonly updatedDateTime: string;
  /** How many payment instruments there are. */
  readonly count: number;
  readonly paymentInstruments: readonly PaymentInstrument[];
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type Customers = {
  /** Rows on this page. */
  readonly count: number;
  readonly customers: readonly Customer[];
  readonly nextCursor: string | null;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type DeletePaymentInstrumentAnswer = {
  readonly id: string;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type DeleteWebhookAnswer = {
  readonly id: string;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type Deliveries = {
  /** Rows on this page. */
  readonly count: number;
  readonly deliveries: readonly {
    readonly webhookId: string;
    /** 0 as long as it was not sent. */
    readonly attempt: number;
    readonly status: "pending" | "delivered" | "failed";
    readonly httpStatus: number | null;
    readonly latencyMs: number | null;
    readonly error: string | null;
    readonly attemptedDateTime: string | null;
    readonly nextAttemptDateTime: string | null;
  }[];
  readonly nextCursor: string | null;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type Event = {
  readonly id: string;
  /** The resource's own reference. */
  readonly reference: string;
  /** ISO 8601, UTC. */
  readonly created: string;
  readonly version: "1.0.0";
  readonly event: "transactions" | "payouts" | "customers" | "payment_instruments" | "payment_requests";
  /** The resource as its GET answered it at that moment. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type Events = {
  /** Rows on this page. */
  readonly count: number;
  readonly events: readonly {
    readonly id: string;
    /** The resource's own reference. */
    readonly reference: string;
    /** ISO 8601, UTC. */
    readonly created: string;
    readonly version: "1.0.0";
    readonly event: "transactions" | "payouts" | "customers" | "payment_instruments" | "payment_requests";
    /** The resource as its GET answered it at that moment. */
    readonly payload: Readonly<Record<string, unknown>>;
  }[];
  readonly nextCursor: string | null;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type PayPayIdInSandboxAnswer = {
  readonly id: string;
  readonly status: "accepted" | "returned";
  readonly reason?: "short" | "over" | "late" | "duplicate" | "closed";
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type PayPayIdInSandboxBody = {
  /** The address, as in `payment.instrument.payId.email`, or the value alone. At most 320 characters. */
  readonly payId: string;
  /** Cents. */
  readonly amount: number;
  /** At most 140 characters. */
  readonly payerName?: string | undefined;
};

export type PaymentInstrument = {
  readonly id: string;
  readonly customerId: string;
  readonly reference: string;
  readonly type: "card" | "bank_account";
  /** ISO 8601, UTC. */
  readonly createdDateTime: string;
  /** ISO 8601, UTC. */
  readonly updatedDateTime: string;
  readonly bankAccount?: {
    readonly accountName: string;
    /** Australia only. */
    readonly bsb?: string;
    /** Masked to the last two digits. */
    readonly number: string;
  };
  readonly card?: {
    readonly name: string;
    readonly last4: string;
    readonly expiryMonth: number;
    readonly expiryYear: number;
    readonly cardType: string;
    readonly wallet?: "apple_pay" | "google_pay";
  };
  readonly metadata?: {
    /** By the BSB or the bank number. */
    readonly bankName: string;
  };
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type PaymentInstruments = {
  /** Rows on this page. */
  readonly count: number;
  readonly paymentInstruments: readonly PaymentInstrument[];
  readonly nextCursor: string | null;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type PaymentRequest = {
  readonly id: string;
  readonly reference: string;
  readonly externalReference?: string;
  /** ISO 8601, UTC. */
  readonly createdDateTime: string;
  /** ISO 8601, UTC. */
  readonly updatedDateTime: string;
  /** ISO 8601, UTC. */
  readonly expiryDateTime: string;
  readonly paymentRequestStatus: "created" | "completed" | "expired" | "cancelled";
  readonly payment: {
    readonly amount: number;
    readonly currencyCode: "AUD" | "NZD";
    readonly description?: string;
    readonly instrument?: {
      readonly payId: {
        readonly type: "single";
        /** The PayID that the payer pays to. */
        readonly email: string;
      };
    };
  };
  readonly paymentMethods?: readonly ("card" | "apple_pay" | "google_pay")[];
  readonly transactionRequest?: {
    readonly category: {
      readonly frequency: "single" | "recurring";
      readonly captureType: "auto" | "manual";
      readonly authenticationType?: "3d_secure";
    };
  };
  readonly customerRequest?: {
    readonly paymentInstrument?: "create";
    readonly name?: string;
    /** Masked. */
    readonly email?: string;
    readonly id?: string;
  };
  readonly agreementDetails?: {
    readonly frequency?: "daily" | "monthly" | "annual";
    readonly frequencyCount?: number;
    readonly description: string;
    readonly startDate: string;
    readonly endDate?: string;
    readonly amount: number;
    readonly managementURL: string;
    readonly billingAgreement?: string;
  };
  readonly hostedPaymentPage?: {
    readonly merchantName: string;
    /** Left out of lists and events. */
    readonly logo?: string;
    readonly resultPage: "show" | "redirect" | "none";
    readonly redirectUrl?: string;
    readonly lineItems?: readonly {
      readonly title: string;
      readonly image?: string;
      readonly amount: number;
      readonly quantity: number;
      readonly modifier?: string;
    }[];
    readonly adjustments?: readonly {
      readonly title: string;
      readonly amount: number;
      readonly adjustmentType: "Other" | "Discount" | "Shipping" | "Tax";
      readonly order?: number;
    }[];
    readonly attempts: number;
    /** Send the payer here. */
    readonly url: string;
  };
  readonly transactionResult?: {
    readonly id: string;
    readonly location: string;
  };
  readonly customerResult?: {
    readonly id: string;
    readonly location: string;
    readonly paymentInstrumentId: string;
    readonly paymentInstrumentLocation: string;
  };
  readonly transactionAttempts?: readonly {
    readonly id: string;
    readonly location: string;
  }[];
  readonly payIdReturns?: readonly {
    readonly amount: number;
    readonly reason: "short" | "over" | "late" | "duplicate" | "closed";
    /** ISO 8601, UTC. */
    readonly receivedDateTime: string;
  }[];
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type PaymentRequests = {
  /** Rows on this page. */
  readonly count: number;
  readonly paymentRequests: readonly PaymentRequest[];
  readonly nextCursor: string | null;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type Payout = {
  readonly id: string;
  readonly reference: string;
  /** ISO 8601, UTC. */
  readonly createdDateTime: string;
  /** ISO 8601, UTC. */
  readonly updatedDateTime: string;
  /** The day of the payout in the merchant's zone, as `yyyy-MM-dd`. */
  readonly payoutDate: string;
  readonly status: "cleared";
  readonly payment: {
    /** The sum of its lines, always above nought. */
    readonly amount: number;
    readonly currencyCode: "AUD" | "NZD";
  };
  readonly totals: {
    readonly payments: number;
    /** Negative, or 0. */
    readonly refunds: number;
    /** Negative, or 0. */
    readonly returns: number;
    /** Negative, or 0. */
    readonly fees: number;
  };
  readonly lineCount: number;
  readonly lines: readonly {
    readonly type: "payment" | "refund" | "return" | "fee";
    readonly transactionId: string;
    readonly refundId?: string;
    /** Negative when it is taken off. */
    readonly amount: number;
    /** ISO 8601, UTC. */
    readonly dateTime: string;
  }[];
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

/** A header, then one line each. */
export type PayoutLines = string;

export type Payouts = {
  /** Rows on this page. */
  readonly count: number;
  readonly payouts: readonly {
    readonly id: string;
    readonly reference: string;
    /** ISO 8601, UTC. */
    readonly createdDateTime: string;
    /** ISO 8601, UTC. */
    readonly updatedDateTime: string;
    /** The day of the payout in the merchant's zone, as `yyyy-MM-dd`. */
    readonly payoutDate: string;
    readonly status: "cleared";
    readonly payment: {
      /** The sum of its lines, always above nought. */
      readonly amount: number;
      readonly currencyCode: "AUD" | "NZD";
    };
    readonly totals: {
      readonly payments: number;
      /** Negative, or 0. */
      readonly refunds: number;
      /** Negative, or 0. */
      readonly returns: number;
      /** Negative, or 0. */
      readonly fees: number;
    };
    readonly lineCount: number;
    readonly result: {
      readonly mode: "sandbox" | "live";
      readonly status: "ok";
    };
  }[];
  readonly nextCursor: string | null;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type RedeliverEventAnswer = {
  readonly id: string;
  readonly deliveries: readonly {
    readonly webhookId: string;
    /** 0 as long as it was not sent. */
    readonly attempt: number;
    readonly status: "pending" | "delivered" | "failed";
    readonly httpStatus: number | null;
    readonly latencyMs: number | null;
    readonly error: string | null;
    readonly attemptedDateTime: string | null;
    readonly nextAttemptDateTime: string | null;
  }[];
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type RedeliverEventsAnswer = {
  /** Deliveries that begin again. */
  readonly count: number;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type RedeliverEventsBody = {
  /** Included. ISO 8601, UTC. */
  readonly createdFrom: string;
  /** Not included. ISO 8601, UTC. */
  readonly createdTo: string;
  /** Left out: every event value. */
  readonly event?: "transactions" | "payouts" | "customers" | "payment_instruments" | "payment_requests" | undefined;
};

export type Refund = {
  readonly id: string;
  readonly transactionId: string;
  readonly reference: string;
  /** ISO 8601, UTC. */
  readonly createdDateTime: string;
  /** ISO 8601, UTC. */
  readonly updatedDateTime: string;
  readonly category: {
    readonly method: "refund";
  };
  readonly payment: {
    readonly amount: number;
    readonly currencyCode: "AUD" | "NZD";
  };
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "pending" | "approved" | "declined";
    readonly codes?: readonly {
      readonly id: string;
      readonly message: string;
    }[];
  };
};

export type Refunds = {
  /** Rows on this page. */
  readonly count: number;
  readonly refunds: readonly Refund[];
  readonly nextCursor: string | null;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type RegisterApplePayDomainsBody = {
  /** At most 50. */
  readonly domains: readonly string[];
};

export type RunSandboxSettlementsAnswer = {
  /** Debits that changed. */
  readonly transactions: number;
  /** Refunds that were settled. */
  readonly refunds: number;
  /** Payouts that were made. */
  readonly payouts: number;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type TestWebhookAnswer = {
  readonly id: string;
  readonly webhookId: string;
  readonly event: "ping";
  readonly status: "delivered" | "failed";
  readonly httpStatus: number | null;
  readonly latencyMs: number;
  readonly error: string | null;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type Token = {
  /** For `SVC.PayUI.initialise` in the browser; works once. */
  readonly token: string;
  readonly tokenType: "onetimetoken";
  readonly scope: "payui";
  /** ISO 8601, UTC. */
  readonly expiryDateTime: string;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type Transaction = {
  readonly id: string;
  readonly reference: string;
  readonly paymentRequestId?: string;
  /** ISO 8601, UTC. */
  readonly createdDateTime: string;
  /** ISO 8601, UTC. */
  readonly updatedDateTime: string;
  readonly category: {
    readonly method: "purchase" | "authorisation";
    readonly source: "card" | "apple_pay" | "google_pay" | "direct_debit" | "payid";
    readonly origin: "internet" | "mail" | "telephone";
    readonly frequency: "single" | "recurring";
    readonly captureType: "auto" | "manual";
  };
  readonly payment: {
    readonly amount: number;
    readonly surcharge: number;
    /** Amount and surcharge. */
    readonly totalAmount: number;
    readonly capturedAmount: number;
    /** What approved refunds have given back. */
    readonly refundedAmount: number;
    readonly currencyCode: "AUD" | "NZD";
    readonly instrument: {
      readonly customer?: {
        readonly id: string;
        readonly paymentInstrumentId: string;
      };
      readonly card?: {
        readonly name?: string;
        readonly last4: string;
        readonly expiryMonth: number;
        readonly expiryYear: number;
        readonly cardType: string;
        readonly wallet?: "apple_pay" | "google_pay";
      };
      readonly payId?: {
        readonly type: "single";
        /** The PayID that was paid to. */
        readonly email: string;
        /** As the payer's bank gave it. */
        readonly payerName?: string;
      };
      readonly bankAccount?: {
        readonly accountName: string;
        readonly bsb?: string;
        /** Masked to its last two digits. */
        readonly number: string;
      };
    };
  };
  readonly captureStatus?: "captured" | "uncaptured" | "voided" | "expired";
  readonly authentication?: {
    readonly type: "3d_secure";
    readonly status: "authenticated" | "failed" | "abandoned";
  };
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "pending" | "approved" | "declined";
    readonly codes?: readonly {
      readonly id: string;
      readonly message: string;
    }[];
  };
};

export type Transactions = {
  /** Rows on this page. */
  readonly count: number;
  readonly transactions: readonly Transaction[];
  readonly nextCursor: string | null;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type Webhook = {
  readonly id: string;
  readonly event: "transactions" | "payouts" | "customers" | "payment_instruments" | "payment_requests";
  readonly url: string;
  readonly status: "active" | "disabled";
  /** ISO 8601, UTC. */
  readonly createdDateTime: string;
  /** ISO 8601, UTC. */
  readonly updatedDateTime: string;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type WebhookSettings = {
  readonly username: string | null;
  readonly header: "Authorization" | "X-Authorization";
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type WebhookSigningKey = {
  /** Its UTF-8 bytes are the HMAC key of `X-Signature`. */
  readonly signingKey: string;
  /** The same bytes for libraries of Standard Webhooks. */
  readonly standardWebhooksSecret: string;
  /** ISO 8601, UTC. */
  readonly createdDateTime: string;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type Webhooks = {
  /** Rows on this page. */
  readonly count: number;
  readonly webhooks: readonly Webhook[];
  readonly nextCursor: string | null;
  readonly result: {
    readonly mode: "sandbox" | "live";
    readonly status: "ok";
  };
};

export type ValidationError = {
  readonly result: {
    readonly mode?: "sandbox" | "live";
    readonly status: "validation_error";
    readonly codes: readonly {
      /** Letter and five digits; never changes its meaning. */
      readonly id: string;
      /** The code's name. */
      readonly message: string;
      /** JSON pointer to the place in the request. */
      readonly field?: string;
      /** Only with totals that do not add up. */
      readonly expected?: number;
      /** Only with totals that do not add up. */
      readonly given?: number;
    }[];
  };
};

export type Conflict = {
  /** Only with `V10018`: what the first request with this idempotency key did. */
  readonly original?: {
    /** `X-Request-Id` of the first request. */
    readonly requestId: string;
    readonly status: "processing" | "done";
    readonly id: string | null;
    readonly location: string | null;
  };
  readonly result: {
    readonly mode?: "sandbox" | "live";
    readonly status: "validation_error";
    readonly codes: readonly {
      /** Letter and five digits; never changes its meaning. */
      readonly id: string;
      /** The code's name. */
      readonly message: string;
      /** JSON pointer to the place in the request. */
      readonly field?: string;
      /** Only with totals that do not add up. */
      readonly expected?: number;
      /** Only with totals that do not add up. */
      readonly given?: number;
    }[];
  };
};

export type SystemError = {
  readonly result: {
    readonly mode?: "sandbox" | "live";
    readonly status: "system_error";
    readonly codes: readonly {
      /** Letter and five digits; never changes its meaning. */
      readonly id: string;
      /** The code's name. */
      readonly message: string;
      /** JSON pointer to the place in the request. */
      readonly field?: string;
      /** Only with totals that do not add up. */
      readonly expected?: number;
      /** Only with totals that do not add up. */
      readonly given?: number;
    }[];
  };
};

/** What each operation takes and answers. */
export type Operations = {
  /** Create a payment request */
  readonly createPaymentRequest: {
    readonly body: CreatePaymentRequestBody;
    readonly query: undefined;
    readonly answer: PaymentRequest;
  };
  /** List payment requests */
  readonly listPaymentRequests: {
    readonly body: undefined;
    readonly query: {
      /** 1 to 100, default 20. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the page before. At most 200 characters. */
      readonly cursor?: string | undefined;
      /** Included. ISO 8601, UTC. */
      readonly createdFrom?: string | undefined;
      /** Not included. ISO 8601, UTC. */
      readonly createdTo?: string | undefined;
      readonly status?: "created" | "completed" | "expired" | "cancelled" | undefined;
      /** At most 64 characters. */
      readonly reference?: string | undefined;
    };
    readonly answer: PaymentRequests;
  };
  /** Read a payment request */
  readonly getPaymentRequest: {
    readonly body: undefined;
    readonly query: undefined;
    readonly answer: PaymentRequest;
  };
  /** Cancel a payment request */
  readonly cancelPaymentRequest: {
    readonly body: Readonly<Record<string, never>>;
    readonly query: undefined;
    readonly answer: PaymentRequest;
  };
  /** Create a one-time token for the embedded checkout */
  readonly createToken: {
    readonly body: CreateTokenBody;
    readonly query: undefined;
    readonly answer: Token;
  };
  /** Charge a stored payment instrument */
  readonly createTransaction: {
    readonly body: CreateTransactionBody;
    readonly query: undefined;
    readonly answer: Transaction;
  };
  /** List transactions */
  readonly listTransactions: {
    readonly body: undefined;
    readonly query: {
      /** 1 to 100, default 20. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the page before. At most 200 characters. */
      readonly cursor?: string | undefined;
      /** Included. ISO 8601, UTC. */
      readonly createdFrom?: string | undefined;
      /** Not included. ISO 8601, UTC. */
      readonly createdTo?: string | undefined;
      /** At most 64 characters. */
      readonly paymentrequestid?: string | undefined;
      /** At most 64 characters. */
      readonly customerid?: string | undefined;
      /** At most 64 characters. */
      readonly reference?: string | undefined;
      readonly status?: "pending" | "approved" | "declined" | undefined;
    };
    readonly answer: Transactions;
  };
  /** Read a transaction */
  readonly getTransaction: {
    readonly body: undefined;
    readonly query: undefined;
    readonly answer: Transaction;
  };
  /** Capture an authorisation */
  readonly captureTransaction: {
    readonly body: CaptureTransactionBody;
    readonly query: undefined;
    readonly answer: Transaction;
  };
  /** Cancel an authorisation that was not captured */
  readonly cancelTransaction: {
    readonly body: Readonly<Record<string, never>>;
    readonly query: undefined;
    readonly answer: Transaction;
  };
  /** Refund a transaction */
  readonly createRefund: {
    readonly body: CaptureTransactionBody;
    readonly query: undefined;
    readonly answer: Refund;
  };
  /** List the refunds of a transaction */
  readonly listRefunds: {
    readonly body: undefined;
    readonly query: {
      /** 1 to 100, default 20. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the page before. At most 200 characters. */
      readonly cursor?: string | undefined;
      /** Included. ISO 8601, UTC. */
      readonly createdFrom?: string | undefined;
      /** Not included. ISO 8601, UTC. */
      readonly createdTo?: string | undefined;
    };
    readonly answer: Refunds;
  };
  /** Read a refund */
  readonly getRefund: {
    readonly body: undefined;
    readonly query: undefined;
    readonly answer: Refund;
  };
  /** List payouts */
  readonly listPayouts: {
    readonly body: undefined;
    readonly query: {
      /** 1 to 100, default 20. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the page before. At most 200 characters. */
      readonly cursor?: string | undefined;
      /** Included. ISO 8601, UTC. */
      readonly createdFrom?: string | undefined;
      /** Not included. ISO 8601, UTC. */
      readonly createdTo?: string | undefined;
      readonly currencyCode?: "AUD" | "NZD" | undefined;
    };
    readonly answer: Payouts;
  };
  /** Read a payout with its lines */
  readonly getPayout: {
    readonly body: undefined;
    readonly query: undefined;
    readonly answer: Payout;
  };
  /** Read all lines of a payout as a CSV */
  readonly getPayoutLines: {
    readonly body: undefined;
    readonly query: undefined;
    readonly answer: PayoutLines;
  };
  /** Create a customer */
  readonly createCustomer: {
    readonly body: CreateCustomerBody;
    readonly query: undefined;
    readonly answer: Customer;
  };
  /** List customers */
  readonly listCustomers: {
    readonly body: undefined;
    readonly query: {
      /** 1 to 100, default 20. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the page before. At most 200 characters. */
      readonly cursor?: string | undefined;
      /** Included. ISO 8601, UTC. */
      readonly createdFrom?: string | undefined;
      /** Not included. ISO 8601, UTC. */
      readonly createdTo?: string | undefined;
      /** At most 64 characters. */
      readonly reference?: string | undefined;
    };
    readonly answer: Customers;
  };
  /** Read a customer */
  readonly getCustomer: {
    readonly body: undefined;
    readonly query: undefined;
    readonly answer: Customer;
  };
  /** Change a customer */
  readonly changeCustomer: {
    readonly body: ChangeCustomerBody;
    readonly query: undefined;
    readonly answer: Customer;
  };
  /** Store a bank account */
  readonly createPaymentInstrument: {
    readonly body: CreatePaymentInstrumentBody;
    readonly query: undefined;
    readonly answer: PaymentInstrument;
  };
  /** List the payment instruments of a customer */
  readonly listPaymentInstruments: {
    readonly body: undefined;
    readonly query: {
      /** 1 to 100, default 20. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the page before. At most 200 characters. */
      readonly cursor?: string | undefined;
      /** Included. ISO 8601, UTC. */
      readonly createdFrom?: string | undefined;
      /** Not included. ISO 8601, UTC. */
      readonly createdTo?: string | undefined;
    };
    readonly answer: PaymentInstruments;
  };
  /** Read a payment instrument */
  readonly getPaymentInstrument: {
    readonly body: undefined;
    readonly query: undefined;
    readonly answer: PaymentInstrument;
  };
  /** Change a payment instrument */
  readonly changePaymentInstrument: {
    readonly body: ChangePaymentInstrumentBody;
    readonly query: undefined;
    readonly answer: PaymentInstrument;
  };
  /** Delete a payment instrument */
  readonly deletePaymentInstrument: {
    readonly body: Readonly<Record<string, never>>;
    readonly query: undefined;
    readonly answer: DeletePaymentInstrumentAnswer;
  };
  /** Subscribe to an event value */
  readonly createWebhook: {
    readonly body: CreateWebhookBody;
    readonly query: undefined;
    readonly answer: Webhook;
  };
  /** List subscriptions */
  readonly listWebhooks: {
    readonly body: undefined;
    readonly query: {
      /** 1 to 100, default 20. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the page before. At most 200 characters. */
      readonly cursor?: string | undefined;
      /** Included. ISO 8601, UTC. */
      readonly createdFrom?: string | undefined;
      /** Not included. ISO 8601, UTC. */
      readonly createdTo?: string | undefined;
    };
    readonly answer: Webhooks;
  };
  /** Read the signing key */
  readonly getWebhookSigningKey: {
    readonly body: undefined;
    readonly query: undefined;
    readonly answer: WebhookSigningKey;
  };
  /** Replace the signing key */
  readonly rotateWebhookSigningKey: {
    readonly body: Readonly<Record<string, never>>;
    readonly query: undefined;
    readonly answer: WebhookSigningKey;
  };
  /** Read the webhook settings */
  readonly getWebhookSettings: {
    readonly body: undefined;
    readonly query: undefined;
    readonly answer: WebhookSettings;
  };
  /** Change the webhook settings */
  readonly changeWebhookSettings: {
    readonly body: ChangeWebhookSettingsBody;
    readonly query: undefined;
    readonly answer: WebhookSettings;
  };
  /** Read a subscription */
  readonly getWebhook: {
    readonly body: undefined;
    readonly query: undefined;
    readonly answer: Webhook;
  };
  /** Change a subscription */
  readonly changeWebhook: {
    readonly body: ChangeWebhookBody;
    readonly query: undefined;
    readonly answer: Webhook;
  };
  /** End a subscription */
  readonly deleteWebhook: {
    readonly body: Readonly<Record<string, never>>;
    readonly query: undefined;
    readonly answer: DeleteWebhookAnswer;
  };
  /** Send a test ping */
  readonly testWebhook: {
    readonly body: Readonly<Record<string, never>>;
    readonly query: undefined;
    readonly answer: TestWebhookAnswer;
  };
  /** List events */
  readonly listEvents: {
    readonly body: undefined;
    readonly query: {
      /** 1 to 100, default 20. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the page before. At most 200 characters. */
      readonly cursor?: string | undefined;
      /** Included. ISO 8601, UTC. */
      readonly createdFrom?: string | undefined;
      /** Not included. ISO 8601, UTC. */
      readonly createdTo?: string | undefined;
      readonly event?: "transactions" | "payouts" | "customers" | "payment_instruments" | "payment_requests" | undefined;
      /** At most 64 characters. */
      readonly resourceid?: string | undefined;
    };
    readonly answer: Events;
  };
  /** Read an event */
  readonly getEvent: {
    readonly body: undefined;
    readonly query: undefined;
    readonly answer: Event;
  };
  /** List the deliveries of an event */
  readonly listDeliveries: {
    readonly body: undefined;
    readonly query: {
      /** 1 to 100, default 20. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the page before. At most 200 characters. */
      readonly cursor?: string | undefined;
    };
    readonly answer: Deliveries;
  };
  /** Deliver an event again */
  readonly redeliverEvent: {
    readonly body: Readonly<Record<string, never>>;
    readonly query: undefined;
    readonly answer: RedeliverEventAnswer;
  };
  /** Deliver the events of a stretch of time again */
  readonly redeliverEvents: {
    readonly body: RedeliverEventsBody;
    readonly query: undefined;
    readonly answer: RedeliverEventsAnswer;
  };
  /** Read the merchant account */
  readonly getAccount: {
    readonly body: undefined;
    readonly query: undefined;
    readonly answer: Account;
  };
  /** Change the merchant account */
  readonly changeAccount: {
    readonly body: ChangeAccountBody;
    readonly query: undefined;
    readonly answer: Account;
  };
  /** List the registered domains */
  readonly listApplePayDomains: {
    readonly body: undefined;
    readonly query: undefined;
    readonly answer: ApplePayDomains;
  };
  /** Register domains */
  readonly registerApplePayDomains: {
    readonly body: RegisterApplePayDomainsBody;
    readonly query: undefined;
    readonly answer: ApplePayDomains;
  };
  /** Remove domains */
  readonly removeApplePayDomains: {
    readonly body: RegisterApplePayDomainsBody;
    readonly query: undefined;
    readonly answer: ApplePayDomains;
  };
  /** The text of the association file */
  readonly getApplePayAssociation: {
    readonly body: undefined;
    readonly query: undefined;
    readonly answer: ApplePayAssociation;
  };
  /** Move this merchant's clock ahead */
  readonly advanceSandboxClock: {
    readonly body: AdvanceSandboxClockBody;
    readonly query: undefined;
    readonly answer: AdvanceSandboxClockAnswer;
  };
  /** Settle debits and refunds now, and make payouts */
  readonly runSandboxSettlements: {
    readonly body: Readonly<Record<string, never>>;
    readonly query: undefined;
    readonly answer: RunSandboxSettlementsAnswer;
  };
  /** Pay to one of your PayIDs */
  readonly payPayIdInSandbox: {
    readonly body: PayPayIdInSandboxBody;
    readonly query: undefined;
    readonly answer: PayPayIdInSandboxAnswer;
  };
};

/** Where each operation is, and under which name a page has its rows. */
export const OPERATIONS = {
  createPaymentRequest: { method: "POST", path: "/paymentrequests" },
  listPaymentRequests: { method: "GET", path: "/paymentrequests", items: "paymentRequests" },
  getPaymentRequest: { method: "GET", path: "/paymentrequests/{paymentRequestId}" },
  cancelPaymentRequest: { method: "POST", path: "/paymentrequests/{paymentRequestId}/cancel" },
  createToken: { method: "POST", path: "/tokens" },
  createTransaction: { method: "POST", path: "/transactions" },
  listTransactions: { method: "GET", path: "/transactions", items: "transactions" },
  getTransaction: { method: "GET", path: "/transactions/{transactionId}" },
  captureTransaction: { method: "POST", path: "/transactions/{transactionId}/capture" },
  cancelTransaction: { method: "POST", path: "/transactions/{transactionId}/cancel" },
  createRefund: { method: "POST", path: "/transactions/{transactionId}/refunds" },
  listRefunds: { method: "GET", path: "/transactions/{transactionId}/refunds", items: "refunds" },
  getRefund: { method: "GET", path: "/transactions/{transactionId}/refunds/{refundId}" },
  listPayouts: { method: "GET", path: "/payouts", items: "payouts" },
  getPayout: { method: "GET", path: "/payouts/{payoutId}" },
  getPayoutLines: { method: "GET", path: "/payouts/{payoutId}/lines" },
  createCustomer: { method: "POST", path: "/customers" },
  listCustomers: { method: "GET", path: "/customers", items: "customers" },
  getCustomer: { method: "GET", path: "/customers/{customerId}" },
  changeCustomer: { method: "PUT", path: "/customers/{customerId}" },
  createPaymentInstrument: { method: "POST", path: "/customers/{customerId}/paymentinstruments" },
  listPaymentInstruments: { method: "GET", path: "/customers/{customerId}/paymentinstruments", items: "paymentInstruments" },
  getPaymentInstrument: { method: "GET", path: "/customers/{customerId}/paymentinstruments/{paymentInstrumentId}" },
  changePaymentInstrument: { method: "PUT", path: "/customers/{customerId}/paymentinstruments/{paymentInstrumentId}" },
  deletePaymentInstrument: { method: "DELETE", path: "/customers/{customerId}/paymentinstruments/{paymentInstrumentId}" },
  createWebhook: { method: "POST", path: "/webhooks" },
  listWebhooks: { method: "GET", path: "/webhooks", items: "webhooks" },
  getWebhookSigningKey: { method: "GET", path: "/webhooks/signingkey" },
  rotateWebhookSigningKey: { method: "POST", path: "/webhooks/signingkey/rotate" },
  getWebhookSettings: { method: "GET", path: "/webhooks/settings" },
  changeWebhookSettings: { method: "PUT", path: "/webhooks/settings" },
  getWebhook: { method: "GET", path: "/webhooks/{webhookId}" },
  changeWebhook: { method: "PUT", path: "/webhooks/{webhookId}" },
  deleteWebhook: { method: "DELETE", path: "/webhooks/{webhookId}" },
  testWebhook: { method: "POST", path: "/webhooks/{webhookId}/test" },
  listEvents: { method: "GET", path: "/events", items: "events" },
  getEvent: { method: "GET", path: "/events/{eventId}" },
  listDeliveries: { method: "GET", path: "/events/{eventId}/deliveries", items: "deliveries" },
  redeliverEvent: { method: "POST", path: "/events/{eventId}/redeliver" },
  redeliverEvents: { method: "POST", path: "/events/redeliver" },
  getAccount: { method: "GET", path: "/management/account" },
  changeAccount: { method: "PUT", path: "/management/account" },
  listApplePayDomains: { method: "GET", path: "/management/applepaydomains" },
  registerApplePayDomains: { method: "POST", path: "/management/applepaydomains" },
  removeApplePayDomains: { method: "DELETE", path: "/management/applepaydomains" },
  getApplePayAssociation: { method: "GET", path: "/management/applepaydomains/association" },
  advanceSandboxClock: { method: "POST", path: "/sandbox/clock/advance" },
  runSandboxSettlements: { method: "POST", path: "/sandbox/settlements/run" },
  payPayIdInSandbox: { method: "POST", path: "/sandbox/payid/transfers" },
} as const;
