/**
 * Answers of the gateway, by operation: the examples of the API reference. Ids, times and secrets are replaced by stable ones.
 * Recorded by `TIDEGATE_TEST_RECORD=1 npm test -- tests/spec/recorded-answers.test.ts`; a test finds outdated ones.
 */
export const RECORDED_ANSWERS: Readonly<Record<string, object>> = {
  "createPaymentRequest": {
    "id": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "order-1001",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "expiryDateTime": "2026-03-03T01:15:00.000Z",
    "paymentRequestStatus": "created",
    "payment": {
      "amount": 3000,
      "currencyCode": "AUD",
      "description": "Two tickets"
    },
    "paymentMethods": [
      "card"
    ],
    "transactionRequest": {
      "category": {
        "frequency": "single",
        "captureType": "auto"
      }
    },
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "listPaymentRequests": {
    "count": 9,
    "paymentRequests": [
      {
        "id": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "createdDateTime": "2026-03-02T01:15:00.000Z",
        "updatedDateTime": "2026-03-02T01:15:00.000Z",
        "expiryDateTime": "2026-03-03T01:15:00.000Z",
        "paymentRequestStatus": "created",
        "payment": {
          "amount": 2500,
          "currencyCode": "AUD"
        },
        "paymentMethods": [
          "card"
        ],
        "transactionRequest": {
          "category": {
            "frequency": "single",
            "captureType": "auto"
          }
        },
        "hostedPaymentPage": {
          "merchantName": "Shop",
          "resultPage": "redirect",
          "redirectUrl": "https://shop.example/thanks",
          "cancelUrl": "myapp://cart",
          "attempts": 3,
          "lineItems": [
            {
              "title": "Tea",
              "image": "https://shop.example/tea.png",
              "amount": 2000,
              "quantity": 1.5,
              "modifier": "kg"
            }
          ],
          "adjustments": [
            {
              "title": "Off",
              "amount": -500,
              "adjustmentType": "Discount",
              "order": 1
            }
          ],
          "url": "http://localhost:4001/pay/f0HLAn9zOBesLut1RZCdzx6hgZVrbjuzU94q-iDyTGGDV5tcwhbW-ujQuI1au"
        },
        "result": {
          "mode": "sandbox",
          "status": "ok"
        }
      }
    ],
    "nextCursor": null,
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "getPaymentRequest": {
    "id": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "expiryDateTime": "2026-03-03T01:15:00.000Z",
    "paymentRequestStatus": "completed",
    "payment": {
      "amount": 3000,
      "currencyCode": "AUD",
      "instrument": {
        "payId": {
          "type": "single",
          "email": "shop-1@payid.tidegate.test",
          "url": "http://localhost:4001/payid/01m7hxy4ed000psdknv9sh9bqymawzm0TItIvysvm_BqxsphnhuenBSeN6Nao",
          "token": "tok_01k9zq4v7m0005h8xn2jd3ctewpfb_LA8NCgrXaoXk2G9JCOG5UAzjDdIoJc5kmcFFfCOy9DY"
        }
      }
    },
    "transactionResult": {
      "id": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
      "location": "http://localhost:4000/transactions/txn_01k9zq4v7m0005h8xn2jd3ctewpfb"
    },
    "payIdReturns": [
      {
        "amount": 2999,
        "reason": "short",
        "receivedDateTime": "2026-03-02T01:15:00.000Z"
      }
    ],
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "cancelPaymentRequest": {
    "id": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "expiryDateTime": "2026-03-03T01:15:00.000Z",
    "paymentRequestStatus": "cancelled",
    "payment": {
      "amount": 3000,
      "currencyCode": "AUD"
    },
    "paymentMethods": [
      "card"
    ],
    "transactionRequest": {
      "category": {
        "frequency": "single",
        "captureType": "auto"
      }
    },
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "createToken": {
    "token": "tok_01k9zq4v7m0005h8xn2jd3ctewpfb_LA8NCgrXaoXk2G9JCOG5UAzjDdIoJc5kmcFFfCOy9DY",
    "tokenType": "onetimetoken",
    "scope": "payui",
    "expiryDateTime": "2026-03-02T01:15:00.000Z",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "createTransaction": {
    "id": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "membership-2026-11",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "category": {
      "method": "purchase",
      "source": "card",
      "origin": "internet",
      "frequency": "recurring",
      "captureType": "auto"
    },
    "payment": {
      "amount": 2500,
      "surcharge": 0,
      "totalAmount": 2500,
      "capturedAmount": 2500,
      "refundedAmount": 0,
      "currencyCode": "AUD",
      "instrument": {
        "customer": {
          "id": "cus_01k9zq4v7m0005h8xn2jd3ctewpfb",
          "paymentInstrumentId": "pi_01k9zq4v7m0005h8xn2jd3ctewpfb"
        },
        "card": {
          "name": "VALUED CARDHOLDER",
          "last4": "4444",
          "expiryMonth": 12,
          "expiryYear": 2029,
          "cardType": "mastercard"
        }
      }
    },
    "captureStatus": "captured",
    "acquirer": {
      "connector": "sandbox",
      "authorisationCode": "QDCYNI",
      "retrievalReference": "YPQCIAIEKZCN",
      "responseCode": "00",
      "networkTransactionId": "WYLGVCUEHISHSV"
    },
    "result": {
      "mode": "sandbox",
      "status": "approved",
      "codes": [
        {
          "id": "A02000",
          "message": "approved",
          "detail": "Nothing is left to do; the payment is approved.",
          "docs": "http://localhost:4000/docs/codes#A02000"
        }
      ]
    }
  },
  "listTransactions": {
    "count": 8,
    "transactions": [
      {
        "id": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "paymentRequestId": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "createdDateTime": "2026-03-02T01:15:00.000Z",
        "updatedDateTime": "2026-03-02T01:15:00.000Z",
        "category": {
          "method": "purchase",
          "source": "payid",
          "origin": "internet",
          "frequency": "single",
          "captureType": "auto"
        },
        "payment": {
          "amount": 3000,
          "surcharge": 0,
          "totalAmount": 3000,
          "capturedAmount": 3000,
          "refundedAmount": 0,
          "currencyCode": "AUD",
          "instrument": {
            "payId": {
              "type": "single",
              "email": "shop-1@payid.tidegate.test",
              "payerName": "Ann Lee"
            }
          }
        },
        "captureStatus": "captured",
        "result": {
          "mode": "sandbox",
          "status": "approved",
          "codes": [
            {
              "id": "A02000",
              "message": "approved",
              "detail": "Nothing is left to do; the payment is approved.",
              "docs": "http://localhost:4000/docs/codes#A02000"
            }
          ]
        }
      }
    ],
    "nextCursor": null,
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "captureTransaction": {
    "id": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "paymentRequestId": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "category": {
      "method": "authorisation",
      "source": "card",
      "origin": "internet",
      "frequency": "single",
      "captureType": "manual"
    },
    "payment": {
      "amount": 3000,
      "surcharge": 0,
      "totalAmount": 3000,
      "capturedAmount": 2500,
      "refundedAmount": 0,
      "currencyCode": "AUD",
      "instrument": {
        "card": {
          "name": "VALUED CARDHOLDER",
          "last4": "4444",
          "expiryMonth": 12,
          "expiryYear": 2029,
          "cardType": "mastercard"
        }
      }
    },
    "captureStatus": "captured",
    "captureReference": "shipment-1",
    "acquirer": {
      "connector": "sandbox",
      "authorisationCode": "QDCYNI",
      "retrievalReference": "YPQCIAIEKZCN",
      "responseCode": "00",
      "networkTransactionId": "WYLGVCUEHISHSV",
      "securityCodeResult": "M"
    },
    "result": {
      "mode": "sandbox",
      "status": "approved",
      "codes": [
        {
          "id": "A02000",
          "message": "approved",
          "detail": "Nothing is left to do; the payment is approved.",
          "docs": "http://localhost:4000/docs/codes#A02000"
        }
      ]
    }
  },
  "cancelTransaction": {
    "id": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "paymentRequestId": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "category": {
      "method": "authorisation",
      "source": "card",
      "origin": "internet",
      "frequency": "single",
      "captureType": "manual"
    },
    "payment": {
      "amount": 3000,
      "surcharge": 0,
      "totalAmount": 3000,
      "capturedAmount": 0,
      "refundedAmount": 0,
      "currencyCode": "AUD",
      "instrument": {
        "card": {
          "name": "VALUED CARDHOLDER",
          "last4": "4444",
          "expiryMonth": 12,
          "expiryYear": 2029,
          "cardType": "mastercard"
        }
      }
    },
    "captureStatus": "voided",
    "acquirer": {
      "connector": "sandbox",
      "authorisationCode": "QDCYNI",
      "retrievalReference": "YPQCIAIEKZCN",
      "responseCode": "00",
      "networkTransactionId": "WYLGVCUEHISHSV",
      "securityCodeResult": "M"
    },
    "result": {
      "mode": "sandbox",
      "status": "approved",
      "codes": [
        {
          "id": "A02000",
          "message": "approved",
          "detail": "Nothing is left to do; the payment is approved.",
          "docs": "http://localhost:4000/docs/codes#A02000"
        }
      ]
    }
  },
  "getTransaction": {
    "id": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "paymentRequestId": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "category": {
      "method": "purchase",
      "source": "card",
      "origin": "internet",
      "frequency": "single",
      "captureType": "auto"
    },
    "payment": {
      "amount": 3000,
      "surcharge": 0,
      "totalAmount": 3000,
      "capturedAmount": 3000,
      "refundedAmount": 0,
      "currencyCode": "AUD",
      "instrument": {
        "card": {
          "name": "VALUED CARDHOLDER",
          "last4": "4444",
          "expiryMonth": 12,
          "expiryYear": 2029,
          "cardType": "mastercard"
        }
      }
    },
    "captureStatus": "captured",
    "acquirer": {
      "connector": "sandbox",
      "authorisationCode": "QDCYNI",
      "retrievalReference": "YPQCIAIEKZCN",
      "responseCode": "00",
      "networkTransactionId": "WYLGVCUEHISHSV",
      "securityCodeResult": "M"
    },
    "result": {
      "mode": "sandbox",
      "status": "approved",
      "codes": [
        {
          "id": "A02000",
          "message": "approved",
          "detail": "Nothing is left to do; the payment is approved.",
          "docs": "http://localhost:4000/docs/codes#A02000"
        }
      ]
    }
  },
  "createRefund": {
    "id": "rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "location": "http://localhost:4000/transactions/txn_01k9zq4v7m0005h8xn2jd3ctewpfb/refunds/rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "transactionId": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "category": {
      "method": "refund"
    },
    "payment": {
      "amount": 500,
      "currencyCode": "AUD"
    },
    "result": {
      "mode": "sandbox",
      "status": "pending"
    }
  },
  "listRefunds": {
    "count": 1,
    "refunds": [
      {
        "id": "rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "location": "http://localhost:4000/transactions/txn_01k9zq4v7m0005h8xn2jd3ctewpfb/refunds/rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "transactionId": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "reference": "rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "createdDateTime": "2026-03-02T01:15:00.000Z",
        "updatedDateTime": "2026-03-02T01:15:00.000Z",
        "category": {
          "method": "refund"
        },
        "payment": {
          "amount": 3000,
          "currencyCode": "AUD"
        },
        "result": {
          "mode": "sandbox",
          "status": "pending"
        }
      }
    ],
    "nextCursor": null,
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "getRefund": {
    "id": "rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "location": "http://localhost:4000/transactions/txn_01k9zq4v7m0005h8xn2jd3ctewpfb/refunds/rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "transactionId": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "category": {
      "method": "refund"
    },
    "payment": {
      "amount": 3000,
      "currencyCode": "AUD"
    },
    "result": {
      "mode": "sandbox",
      "status": "pending"
    }
  },
  "listAllRefunds": {
    "count": 5,
    "refunds": [
      {
        "id": "rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "location": "http://localhost:4000/transactions/txn_01k9zq4v7m0005h8xn2jd3ctewpfb/refunds/rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "transactionId": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "reference": "rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "createdDateTime": "2026-03-02T01:15:00.000Z",
        "updatedDateTime": "2026-03-02T01:15:00.000Z",
        "category": {
          "method": "refund"
        },
        "payment": {
          "amount": 3000,
          "currencyCode": "AUD"
        },
        "result": {
          "mode": "sandbox",
          "status": "pending"
        }
      }
    ],
    "nextCursor": null,
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "readRefund": {
    "id": "rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "location": "http://localhost:4000/transactions/txn_01k9zq4v7m0005h8xn2jd3ctewpfb/refunds/rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "transactionId": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "rfd_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "category": {
      "method": "refund"
    },
    "payment": {
      "amount": 3000,
      "currencyCode": "AUD"
    },
    "result": {
      "mode": "sandbox",
      "status": "pending"
    }
  },
  "listDisputes": {
    "count": 1,
    "disputes": [
      {
        "id": "dsp_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "location": "http://localhost:4000/disputes/dsp_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "transactionId": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "createdDateTime": "2026-03-02T01:15:00.000Z",
        "updatedDateTime": "2026-03-02T01:15:00.000Z",
        "reason": "fraudulent",
        "payment": {
          "amount": 14490,
          "currencyCode": "AUD"
        },
        "status": "needs_response",
        "evidenceDueDateTime": "2026-03-16T01:15:00.000Z",
        "metadata": {},
        "result": {
          "mode": "sandbox",
          "status": "ok"
        }
      }
    ],
    "nextCursor": null,
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "getDispute": {
    "id": "dsp_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "location": "http://localhost:4000/disputes/dsp_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "transactionId": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "reason": "fraudulent",
    "payment": {
      "amount": 14490,
      "currencyCode": "AUD"
    },
    "status": "needs_response",
    "evidenceDueDateTime": "2026-03-16T01:15:00.000Z",
    "metadata": {},
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "sendDisputeEvidence": {
    "id": "dsp_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "location": "http://localhost:4000/disputes/dsp_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "transactionId": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "reason": "fraudulent",
    "payment": {
      "amount": 14490,
      "currencyCode": "AUD"
    },
    "status": "under_review",
    "evidenceDueDateTime": "2026-03-16T01:15:00.000Z",
    "metadata": {},
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "acceptDispute": {
    "id": "dsp_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "location": "http://localhost:4000/disputes/dsp_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "transactionId": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "reason": "fraudulent",
    "payment": {
      "amount": 14490,
      "currencyCode": "AUD"
    },
    "status": "accepted",
    "evidenceDueDateTime": "2026-03-16T01:15:00.000Z",
    "metadata": {},
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "listPayouts": {
    "count": 1,
    "payouts": [
      {
        "id": "po_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "reference": "po_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "createdDateTime": "2026-03-02T01:15:00.000Z",
        "updatedDateTime": "2026-03-02T01:15:00.000Z",
        "payoutDate": "2026-11-16",
        "status": "cleared",
        "payment": {
          "amount": 43499,
          "currencyCode": "AUD"
        },
        "totals": {
          "payments": 116960,
          "refunds": -15501,
          "returns": 0,
          "fees": 0,
          "disputes": -57960
        },
        "lineCount": 35,
        "result": {
          "mode": "sandbox",
          "status": "ok"
        }
      }
    ],
    "nextCursor": null,
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "getPayout": {
    "id": "po_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "po_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "payoutDate": "2026-11-16",
    "status": "cleared",
    "payment": {
      "amount": 2999,
      "currencyCode": "AUD"
    },
    "totals": {
      "payments": 3000,
      "refunds": -1,
      "returns": 0,
      "fees": 0,
      "disputes": 0
    },
    "lineCount": 2,
    "lines": [
      {
        "type": "payment",
        "transactionId": "txn_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "amount": 3000,
        "dateTime": "2026-03-02T01:15:00.000Z"
      }
    ],
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "createCustomer": {
    "id": "cus_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "member-1001",
    "name": "Jamie Lee",
    "email": "jXXXXXXXXXX@example.com",
    "metadata": {
      "tier": "gold"
    },
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "count": 0,
    "paymentInstruments": [],
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "listCustomers": {
    "count": 11,
    "customers": [
      {
        "id": "cus_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "reference": "cus_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "name": "Ann Lee",
        "email": "aXXXXXXXXXX@example.com",
        "createdDateTime": "2026-03-02T01:16:00.000Z",
        "updatedDateTime": "2026-03-02T01:16:00.000Z",
        "count": 1,
        "paymentInstruments": [
          {
            "id": "pi_01k9zq4v7m0005h8xn2jd3ctewpfb",
            "customerId": "cus_01k9zq4v7m0005h8xn2jd3ctewpfb",
            "reference": "pi_01k9zq4v7m0005h8xn2jd3ctewpfb",
            "type": "bank_account",
            "createdDateTime": "2026-03-02T01:16:00.000Z",
            "updatedDateTime": "2026-03-02T01:16:00.000Z",
            "bankAccount": {
              "accountName": "Ann Lee",
              "bsb": "062000",
              "number": "XXXXXX78"
            },
            "metadata": {
              "bankName": "Commonwealth Bank"
            },
            "result": {
              "mode": "sandbox",
              "status": "ok"
            }
          }
        ],
        "result": {
          "mode": "sandbox",
          "status": "ok"
        }
      }
    ],
    "nextCursor": null,
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "getCustomer": {
    "id": "cus_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "cus_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "name": "Ann Lee",
    "email": "aXXXXXXXXXX@example.com",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "count": 0,
    "paymentInstruments": [],
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "changeCustomer": {
    "id": "cus_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "cus_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "name": "Ann Lee",
    "email": "jXXXXXXXXXX@example.com",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "count": 0,
    "paymentInstruments": [],
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "createPaymentInstrument": {
    "id": "pi_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "customerId": "cus_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "membership",
    "type": "bank_account",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "bankAccount": {
      "accountName": "Jamie Lee",
      "bsb": "062000",
      "number": "XXXXXX78"
    },
    "metadata": {
      "bankName": "Commonwealth Bank"
    },
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "listPaymentInstruments": {
    "count": 1,
    "paymentInstruments": [
      {
        "id": "pi_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "customerId": "cus_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "reference": "pi_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "type": "bank_account",
        "createdDateTime": "2026-03-02T01:15:00.000Z",
        "updatedDateTime": "2026-03-02T01:15:00.000Z",
        "bankAccount": {
          "accountName": "Ann Lee",
          "bsb": "062000",
          "number": "XXXXXX78"
        },
        "metadata": {
          "bankName": "Commonwealth Bank"
        },
        "result": {
          "mode": "sandbox",
          "status": "ok"
        }
      }
    ],
    "nextCursor": null,
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "getPaymentInstrument": {
    "id": "pi_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "customerId": "cus_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "pi_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "type": "bank_account",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "bankAccount": {
      "accountName": "Ann Lee",
      "bsb": "062000",
      "number": "XXXXXX78"
    },
    "metadata": {
      "bankName": "Commonwealth Bank"
    },
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "changePaymentInstrument": {
    "id": "pi_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "customerId": "cus_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "pi_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "type": "bank_account",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "bankAccount": {
      "accountName": "Jamie Lee-Park",
      "bsb": "062000",
      "number": "XXXXXX78"
    },
    "metadata": {
      "bankName": "Commonwealth Bank"
    },
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "deletePaymentInstrument": {
    "id": "pi_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "createWebhook": {
    "id": "whk_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "event": "payouts",
    "url": "https://shop.example/webhooks",
    "status": "active",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "listWebhooks": {
    "count": 1,
    "webhooks": [
      {
        "id": "whk_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "event": "payment_requests",
        "url": "http://127.0.0.1:65001/hook",
        "status": "active",
        "createdDateTime": "2026-03-02T01:15:00.000Z",
        "updatedDateTime": "2026-03-02T01:15:00.000Z",
        "result": {
          "mode": "sandbox",
          "status": "ok"
        }
      }
    ],
    "nextCursor": null,
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "getWebhookSigningKey": {
    "signingKey": "an-example-of-a-signing-key-not-a-real-one0",
    "standardWebhooksSecret": "whsec_YW4tZXhhbXBsZS1vZi1hLXNpZ25pbmcta2V5LW5vdC1hLXJlYWwtb25lMA==",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "rotateWebhookSigningKey": {
    "signingKey": "an-example-of-a-signing-key-not-a-real-one0",
    "standardWebhooksSecret": "whsec_YW4tZXhhbXBsZS1vZi1hLXNpZ25pbmcta2V5LW5vdC1hLXJlYWwtb25lMA==",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "getWebhookSettings": {
    "username": null,
    "header": "Authorization",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "changeWebhookSettings": {
    "username": "tidegate",
    "header": "Authorization",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "getWebhook": {
    "id": "whk_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "event": "payment_requests",
    "url": "http://127.0.0.1:65001/hook",
    "status": "active",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "changeWebhook": {
    "id": "whk_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "event": "payment_requests",
    "url": "http://127.0.0.1:65001/hook",
    "status": "active",
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "deleteWebhook": {
    "id": "whk_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "testWebhook": {
    "id": "evt_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "webhookId": "whk_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "event": "ping",
    "status": "failed",
    "httpStatus": null,
    "latencyMs": 7,
    "error": "connection_refused",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "listEvents": {
    "count": 20,
    "events": [
      {
        "id": "evt_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "created": "2026-03-02T01:15:00.000Z",
        "version": "1.0.0",
        "event": "payment_requests",
        "payload": {
          "id": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
          "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
          "createdDateTime": "2026-03-02T01:15:00.000Z",
          "updatedDateTime": "2026-03-02T01:15:00.000Z",
          "expiryDateTime": "2026-03-03T01:15:00.000Z",
          "paymentRequestStatus": "created",
          "payment": {
            "amount": 3000,
            "currencyCode": "AUD"
          },
          "paymentMethods": [
            "card"
          ],
          "transactionRequest": {
            "category": {
              "frequency": "single",
              "captureType": "auto"
            }
          },
          "result": {
            "mode": "sandbox",
            "status": "ok"
          }
        }
      }
    ],
    "nextCursor": "ZXZ0XzAxazl6cTR2N20wMDA1aDh4bjJqZDNjdGV3cGZi",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "getEvent": {
    "id": "evt_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "created": "2026-03-02T01:15:00.000Z",
    "version": "1.0.0",
    "event": "payment_requests",
    "payload": {
      "id": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
      "reference": "pr_01k9zq4v7m0005h8xn2jd3ctewpfb",
      "createdDateTime": "2026-03-02T01:15:00.000Z",
      "updatedDateTime": "2026-03-02T01:15:00.000Z",
      "expiryDateTime": "2026-03-03T01:15:00.000Z",
      "paymentRequestStatus": "created",
      "payment": {
        "amount": 3000,
        "currencyCode": "AUD"
      },
      "paymentMethods": [
        "card"
      ],
      "transactionRequest": {
        "category": {
          "frequency": "single",
          "captureType": "auto"
        }
      },
      "result": {
        "mode": "sandbox",
        "status": "ok"
      }
    },
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "listDeliveries": {
    "count": 1,
    "deliveries": [
      {
        "webhookId": "whk_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "attempt": 0,
        "status": "pending",
        "httpStatus": null,
        "latencyMs": null,
        "error": null,
        "attemptedDateTime": null,
        "nextAttemptDateTime": "2026-03-02T01:15:00.000Z"
      }
    ],
    "nextCursor": null,
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "redeliverEvent": {
    "id": "evt_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "deliveries": [
      {
        "webhookId": "whk_01k9zq4v7m0005h8xn2jd3ctewpfb",
        "attempt": 0,
        "status": "pending",
        "httpStatus": null,
        "latencyMs": null,
        "error": null,
        "attemptedDateTime": null,
        "nextAttemptDateTime": "2026-03-02T01:15:00.000Z"
      }
    ],
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "redeliverEvents": {
    "count": 0,
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "getAccount": {
    "id": "mer_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "name": "Sandbox merchant",
    "country": "AU",
    "currencyCode": "AUD",
    "capabilities": {
      "cardNotPresent": true,
      "threeDSecure": true,
      "applePay": true,
      "googlePay": true,
      "directDebit": true,
      "payId": true
    },
    "allowedOrigins": [],
    "surcharging": {
      "enabled": false,
      "rates": {}
    },
    "threeDSecureAttempted": "proceed",
    "threeDSecureUnavailable": "decline",
    "cardTesting": {
      "address": 45,
      "bin": 45,
      "card": 15,
      "merchant": 80
    },
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:15:00.000Z",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "changeAccount": {
    "id": "mer_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "name": "Sandbox merchant",
    "country": "AU",
    "currencyCode": "AUD",
    "capabilities": {
      "cardNotPresent": true,
      "threeDSecure": true,
      "applePay": true,
      "googlePay": true,
      "directDebit": true,
      "payId": true
    },
    "allowedOrigins": [],
    "surcharging": {
      "enabled": true,
      "rates": {
        "visa": {
          "percent": 1.2,
          "fixed": 0
        }
      }
    },
    "threeDSecureAttempted": "proceed",
    "threeDSecureUnavailable": "decline",
    "cardTesting": {
      "address": 45,
      "bin": 45,
      "card": 15,
      "merchant": 80
    },
    "createdDateTime": "2026-03-02T01:15:00.000Z",
    "updatedDateTime": "2026-03-02T01:16:00.000Z",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "listApplePayDomains": {
    "domains": [],
    "registrations": [],
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "registerApplePayDomains": {
    "domains": [
      "localhost"
    ],
    "registrations": [
      {
        "domain": "localhost",
        "status": "registered",
        "registeredDateTime": "2026-03-02T01:15:00.000Z"
      }
    ],
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "removeApplePayDomains": {
    "domains": [],
    "registrations": [],
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "advanceSandboxClock": {
    "currentDateTime": "2026-03-02T01:15:00.000Z",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "runSandboxSettlements": {
    "transactions": 0,
    "refunds": 0,
    "payouts": 1,
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  },
  "payPayIdInSandbox": {
    "id": "itr_01k9zq4v7m0005h8xn2jd3ctewpfb",
    "status": "accepted",
    "result": {
      "mode": "sandbox",
      "status": "ok"
    }
  }
};
